import { createContext, use, useContext, useSyncExternalStore } from 'react'
import { create } from 'zustand'
import { assistant, type AssistantEvent, type MessagePart } from '#contract/assistant/assistant'
import { CallError } from '../../../api/client.ts'
import { callLines } from '../../../api/lines.ts'
import type { Keeper } from '../../../modules/assistant/assistant-keeper.ts'
import {
  defaultChatName,
  deleteMessagesAfter,
  renameChat,
  saveMessage,
  type AssistantState,
  type Now,
  type Message,
  type SqlSnippet,
} from '../../../modules/assistant/assistant-state.ts'
import { assistantOf } from '../../../modules/assistant/assistant.ts'
import { nameFrom, questionOf, textOf } from './question.ts'

/** One project's assistant: its state, its questions, and how to change it. */
export type Assistant = {
  ref: string
  state: AssistantState
  update: (change: (state: AssistantState, now: Now) => AssistantState) => void
  answers: Answers
  asking: (chatId: string) => Asking | undefined
}

export const AssistantContext = createContext<Assistant | undefined>(undefined)

/** The assistant of the panel around. */
export function useAssistant(): Assistant {
  const assistant = useContext(AssistantContext)
  if (!assistant) throw new Error('This belongs inside the assistant panel')
  return assistant
}

const answersOf = new WeakMap<Keeper, Answers>()

/** Suspends until the browser's storage has answered. */
export function useAssistantOf(ref: string): Assistant {
  const keeper = use(assistantOf(ref))
  const answers = answersOf.get(keeper) ?? createAnswers(keeper)
  if (!answersOf.has(keeper)) {
    answersOf.set(keeper, answers)
    // The person left: nobody waits for what is still being answered.
    keeper.onStop(answers.stopAll)
  }
  const state = useSyncExternalStore(keeper.subscribe, keeper.get)
  // A snapshot that changes with every question's fate.
  useSyncExternalStore(answers.subscribe, answers.version)
  return { ref, state, update: keeper.update, answers, asking: answers.of }
}

/**
 * The chats whose SQL may change data when their person says so at each statement. Kept nowhere: after a reload every
 * chat only reads again.
 */
const useAllowed = create<{ chats: ReadonlySet<string> }>()(() => ({ chats: new Set() }))

export const useAllowsChanges = (chatId: string): boolean =>
  useAllowed(({ chats }) => chats.has(chatId))

export function allowChanges(chatId: string, allowed: boolean): void {
  const chats = new Set(useAllowed.getState().chats)
  if (allowed) chats.add(chatId)
  else chats.delete(chatId)
  useAllowed.setState({ chats })
}

/** Sends a question, with queries beside those that are attached. */
export type Ask = (text: string, queries?: readonly SqlSnippet[]) => void

type Block = {
  chatId: string
  message: Message
  /** The answer is not complete, so a block in it may not be either. */
  writing: boolean
  onAsk: Ask
}

/** The message that a block of SQL stands in. */
export const BlockContext = createContext<Block | undefined>(undefined)

/** How a chat's last question fares. What is answered stands in the chat itself. */
export type Asking =
  | { status: 'asking'; messageId: string; doing: string }
  | { status: 'failed'; message: string }
  | { status: 'cut' }

/** Milliseconds between two looks at what arrives: more often nobody can see. */
const tick = 50

/** The questions of a project's chats. They go on while their person looks at other chats and pages. */
function createAnswers(keeper: Keeper) {
  const asking = new Map<string, Asking>()
  const aborts = new Map<string, AbortController>()
  const watchers = new Set<() => void>()
  let version = 0

  function show(chatId: string, now: Asking | undefined) {
    if (now) asking.set(chatId, now)
    else asking.delete(chatId)
    version += 1
    for (const watch of watchers) watch()
  }

  /** Asks what the chat ends with. */
  async function ask(chatId: string): Promise<void> {
    const { chats, model } = keeper.get()
    const chat = chats[chatId]
    if (!chat || aborts.has(chatId)) return
    const abort = new AbortController()
    aborts.set(chatId, abort)
    const answer: Message = { id: crypto.randomUUID(), role: 'assistant', parts: [], results: {} }
    show(chatId, { status: 'asking', messageId: answer.id, doing: 'Thinking' })
    const outcome = await follow({ chatId, model, answer, messages: chat.messages, abort })
    aborts.delete(chatId)
    show(chatId, outcome)
  }

  async function follow({ chatId, model, answer, messages, abort }: Question) {
    let text = ''
    let timer: ReturnType<typeof setTimeout> | undefined
    let ended: Asking | undefined | 'open' = 'open'
    const write = () => {
      clearTimeout(timer)
      timer = undefined
      if (!text) return
      const message: Message = { ...answer, parts: [{ type: 'text', text }] }
      keeper.update((state, now) => saveMessage(state, chatId, message, now.at))
    }
    const input = { ref: keeper.ref, model, messages: questionOf(messages) }
    const { signal } = abort
    try {
      for await (const event of callLines<AssistantEvent>(assistant.ask, input, { signal })) {
        if (event.type === 'text') {
          text += event.text
          timer ??= setTimeout(write, tick)
        } else if (event.type === 'tool') {
          show(chatId, { status: 'asking', messageId: answer.id, doing: event.what })
        } else if (event.type === 'error') ended = { status: 'failed', message: event.message }
        else ended = event.cut ? { status: 'cut' } : undefined
      }
      if (ended === 'open') throw new CallError('The response was interrupted', { code: 0 })
    } catch (error) {
      // Stop is no failure: what had come stays.
      const message = error instanceof Error ? error.message : String(error)
      ended = signal.aborted ? undefined : { status: 'failed', message }
    }
    write()
    return ended
  }

  return {
    of: (chatId: string) => asking.get(chatId),
    /** Goes up with every change of what `of` says. */
    version: () => version,
    subscribe(watcher: () => void) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    /** Adds a question to a chat and asks it; `replaces` names the earlier question that it is a new version of. */
    send(chatId: string, parts: MessagePart[], replaces?: string): Promise<void> {
      const id = replaces ?? crypto.randomUUID()
      const message: Message = { id, role: 'user', parts, results: {} }
      keeper.update((state, { at }) => {
        const saved = saveMessage(state, chatId, message, at)
        const first = saved.chats[chatId]?.messages[0]?.id === id
        const named =
          first && saved.chats[chatId]?.name === defaultChatName
            ? renameChat(saved, chatId, nameFrom(textOf(message)), at)
            : saved
        return {
          ...deleteMessagesAfter(named, chatId, id, at),
          initialInput: '',
          sqlSnippets: [],
          tables: [],
          suggestions: [],
        }
      })
      return ask(chatId)
    },
    /** Asks the last question again, without what came of it. */
    retry(chatId: string): Promise<void> {
      const last = keeper.get().chats[chatId]?.messages.findLast(({ role }) => role === 'user')
      if (!last) return Promise.resolve()
      keeper.update((state, { at }) => deleteMessagesAfter(state, chatId, last.id, at))
      return ask(chatId)
    },
    stop: (chatId: string) => aborts.get(chatId)?.abort(),
    stopAll() {
      for (const abort of aborts.values()) abort.abort()
    },
  }
}
type Answers = ReturnType<typeof createAnswers>

type Question = {
  chatId: string
  model: string
  answer: Message
  messages: readonly Message[]
  abort: AbortController
}
