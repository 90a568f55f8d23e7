import { createContext } from 'react'
import type { Message, SqlSnippet } from '../../../modules/assistant/assistant-state.ts'

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
