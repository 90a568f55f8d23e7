import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import { keptMessages, type MessagePart } from '#contract/assistant/assistant'
import {
  defaultChatName,
  emptyState,
  type AssistantState,
  type BlockResult,
  type Chat,
  type Message,
} from './assistant-state.ts'

// Names of the requirements' reference (facts §0), so that what a browser already has is found.
const databaseName = 'ai-assistant-db'
const storeName = 'assistantState'
const oldKey = (ref: string) => `supabase-ai-assistant-state-${ref}`

interface Schema extends DBSchema {
  assistantState: { key: string; value: Stored }
}

type Old = Pick<Storage, 'getItem' | 'removeItem'>

/** Where chats are kept: the browser's database, for one person. Every method throws when the browser refuses. */
export function createAssistantStorage(person: string, old: Old) {
  let opening: Promise<IDBPDatabase<Schema>> | undefined

  const open = () => {
    opening ??= openDB<Schema>(databaseName, 1, {
      upgrade: (database) => void database.createObjectStore(storeName, { keyPath: 'projectRef' }),
      // Somebody deletes it, as signing out does: an open connection would hold that up.
      blocking: () => close(),
      terminated: () => {
        opening = undefined
      },
    })
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }
  function close() {
    void opening?.then((database) => database.close())
    opening = undefined
  }

  /** What an older version kept elsewhere. It is read once: afterwards it is gone from there. */
  async function migrate(ref: string): Promise<AssistantState | undefined> {
    const text = old.getItem(oldKey(ref))
    if (text === null) return undefined
    const state = fromStored(parsed(text), ref, person)
    if (state) await write(state, new Set())
    old.removeItem(oldKey(ref))
    return state
  }

  async function write(state: AssistantState, deleted: ReadonlySet<string>): Promise<void> {
    const transaction = (await open()).transaction(storeName, 'readwrite')
    const before = await transaction.store.get(state.projectRef)
    const theirs = before && fromStored(before, state.projectRef, person)
    const mine = toStored(state, person)
    await transaction.store.put(merged(mine, theirs && toStored(theirs, person), deleted))
    await transaction.done
  }

  return {
    /** Undefined when nothing usable is kept. */
    async load(ref: string): Promise<AssistantState | undefined> {
      const stored = await (await open()).get(storeName, ref)
      return stored === undefined ? migrate(ref) : fromStored(stored, ref, person)
    },
    /** `deleted`: chats that went since they were loaded. */
    save: write,
    close,
  }
}
export type AssistantStorage = ReturnType<typeof createAssistantStorage>

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Cut off, or of somebody else: nothing that could be shown.
    return undefined
  }
}

/** What is kept in the browser: the state, and whose it is. */
type Stored = Pick<AssistantState, 'projectRef' | 'open' | 'activeChatId' | 'model' | 'chats'> & {
  person: string
}

/** The state as it is stored: the last messages of every chat, without what only the next question needs. */
export function toStored(state: AssistantState, person: string): Stored {
  const { projectRef, open, activeChatId, model } = state
  const chats = Object.fromEntries(
    Object.entries(state.chats).map(([id, chat]) => [
      id,
      { ...chat, messages: chat.messages.slice(-keptMessages) },
    ]),
  )
  return { projectRef, open, activeChatId, model, chats, person }
}

/**
 * A state from whatever was stored, by us or by an older version. Undefined when its chats are no object (requirements
 * §5) or it belongs to somebody else; a chat or message that is damaged is left out.
 */
export function fromStored(
  value: unknown,
  projectRef: string,
  person: string,
): AssistantState | undefined {
  if (!isRecord(value) || !isRecord(value['chats'])) return undefined
  if (value['person'] !== undefined && value['person'] !== person) return undefined
  const start = emptyState(projectRef)
  return {
    ...start,
    open: value['open'] === true,
    model: typeof value['model'] === 'string' ? value['model'] : start.model,
    chats: Object.fromEntries(
      Object.values(value['chats']).flatMap((one) => {
        const chat = chatFrom(one)
        return chat ? [[chat.id, chat]] : []
      }),
    ),
  }
}

/**
 * What is written when another tab wrote since we read: its chats stay, the newer version of each counts, and what was
 * deleted here is gone.
 */
function merged(mine: Stored, theirs: Stored | undefined, deleted: ReadonlySet<string>) {
  if (!theirs || theirs.person !== mine.person) return mine
  const chats = { ...mine.chats }
  for (const [id, chat] of Object.entries(theirs.chats)) {
    const own = chats[id]
    if (!deleted.has(id) && (!own || own.updatedAt < chat.updatedAt)) chats[id] = chat
  }
  return { ...mine, chats }
}

function chatFrom(value: unknown): Chat | undefined {
  if (!isRecord(value) || typeof value['id'] !== 'string') return undefined
  const { messages } = value
  return {
    id: value['id'],
    name: typeof value['name'] === 'string' && value['name'] ? value['name'] : defaultChatName,
    messages: Array.isArray(messages) ? messages.flatMap(messageFrom) : [],
    createdAt: timeFrom(value['createdAt']),
    updatedAt: timeFrom(value['updatedAt']),
  }
}

function messageFrom(value: unknown): Message[] {
  if (!isRecord(value) || typeof value['id'] !== 'string') return []
  const { id, role, parts, content, results } = value
  if (role !== 'user' && role !== 'assistant') return []
  const known = Array.isArray(parts) ? parts.filter(isPart) : []
  // Older messages had one text.
  const old: MessagePart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : []
  const kept = known.length > 0 ? known : old
  if (kept.length === 0) return []
  return [{ id, role, parts: kept, results: resultsFrom(results) }]
}

function isPart(value: unknown): value is MessagePart {
  if (!isRecord(value)) return false
  if (value['type'] === 'text') return typeof value['text'] === 'string'
  if (value['type'] === 'snippet') {
    return typeof value['name'] === 'string' && typeof value['sql'] === 'string'
  }
  return (
    value['type'] === 'table' &&
    typeof value['schema'] === 'string' &&
    typeof value['name'] === 'string'
  )
}

function resultsFrom(value: unknown): Record<string, BlockResult> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([id, result]) => (isResult(result) ? [[id, result]] : [])),
  )
}

function isResult(value: unknown): value is BlockResult {
  return (
    isRecord(value) &&
    typeof value['sql'] === 'string' &&
    (value['status'] === 'done' || value['status'] === 'failed') &&
    Array.isArray(value['columns']) &&
    Array.isArray(value['rows']) &&
    typeof value['command'] === 'string' &&
    typeof value['ms'] === 'number'
  )
}

/** Older versions wrote dates, or texts of them. What is no time is long ago. */
function timeFrom(value: unknown): number {
  const time =
    typeof value === 'string' ? Date.parse(value) : value instanceof Date ? value.getTime() : value
  return typeof time === 'number' && Number.isFinite(time) ? time : 0
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
