import { create } from 'zustand'

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
