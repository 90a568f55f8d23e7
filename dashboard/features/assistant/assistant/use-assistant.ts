import { createContext, use, useContext, useSyncExternalStore } from 'react'
import { create } from 'zustand'
import type { Keeper } from '../../../modules/assistant/assistant-keeper.ts'
import type {
  AssistantState,
  Now,
  Message,
  SqlSnippet,
} from '../../../modules/assistant/assistant-state.ts'
import { assistantOf } from '../../../modules/assistant/assistant.ts'
import { createAnswers, type Answers, type Asking } from './answers.ts'

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
