import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import { fromStored, merged, toStored, type Stored } from './assistant-stored.ts'
import type { AssistantState } from './assistant-state.ts'

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
