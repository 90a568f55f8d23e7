import { defaultModel, type MessagePart } from '#contract/assistant/assistant'

/** What a run of an SQL block brought, kept with its message. */
export type BlockResult = {
  /** What ran. */
  sql: string
  status: 'done' | 'failed'
  columns: string[]
  /** The first rows, cells cut to a readable length. */
  rows: (string | null)[][]
  /** Rows that Postgres sent or changed. */
  count: number | null
  command: string
  ms: number
  error?: { message: string; code: string }
}

/** `results` are kept by the id of the SQL block inside the message that was run. */
export type Message = {
  id: string
  role: 'user' | 'assistant'
  parts: MessagePart[]
  results: Record<string, BlockResult>
}

/** Times are milliseconds since 1970. */
export type Chat = {
  id: string
  name: string
  messages: Message[]
  createdAt: number
  updatedAt: number
}

export type SqlSnippet = { name: string; sql: string }
export type TableName = { schema: string; name: string }

/** The assistant of one project (requirements §3). The extras after `chats` are what the next question starts with. */
export type AssistantState = {
  projectRef: string
  open: boolean
  activeChatId: string | undefined
  model: string
  chats: Record<string, Chat>
  initialInput: string
  sqlSnippets: SqlSnippet[]
  suggestions: string[]
  tables: TableName[]
}

export const defaultChatName = 'New chat'

/** Where ids and times come from, so that a test can say them. */
export type Now = { id: () => string; at: number }

export const emptyState = (projectRef: string): AssistantState => ({
  projectRef,
  open: false,
  activeChatId: undefined,
  model: defaultModel,
  chats: {},
  initialInput: '',
  sqlSnippets: [],
  suggestions: [],
  tables: [],
})

export const activeChat = (state: AssistantState): Chat | undefined =>
  state.activeChatId === undefined ? undefined : state.chats[state.activeChatId]

/** The newest first, as lists show them. */
export const chatsByTime = ({ chats }: AssistantState): Chat[] =>
  Object.values(chats).toSorted((a, b) => b.updatedAt - a.updatedAt)

export function createChat(
  state: AssistantState,
  now: Now,
  name = defaultChatName,
): AssistantState {
  const chat: Chat = { id: now.id(), name, messages: [], createdAt: now.at, updatedAt: now.at }
  return { ...state, activeChatId: chat.id, chats: { ...state.chats, [chat.id]: chat } }
}

export const selectChat = (state: AssistantState, id: string): AssistantState =>
  state.chats[id] ? { ...state, activeChatId: id } : state

export const renameChat = (state: AssistantState, id: string, name: string, at: number) =>
  changeChat(state, id, at, (chat) => ({ ...chat, name: name.trim() || defaultChatName }))

/** When the active chat goes, the first that remains takes its place (requirements §4); after the last one a new one begins. */
export function deleteChat(state: AssistantState, id: string, now: Now): AssistantState {
  if (!state.chats[id]) return state
  const { [id]: _, ...chats } = state.chats
  const left = { ...state, chats }
  if (state.activeChatId !== id) return left
  const first = Object.keys(chats)[0]
  return first === undefined ? createChat(left, now) : { ...left, activeChatId: first }
}

export const clearMessages = (state: AssistantState, id: string, at: number): AssistantState =>
  changeChat(state, id, at, (chat) => ({ ...chat, messages: [] }))

/** Deletes what comes after a message; the message stays. */
export const deleteMessagesAfter = (
  state: AssistantState,
  id: string,
  messageId: string,
  at: number,
): AssistantState =>
  changeChat(state, id, at, (chat) => {
    const index = chat.messages.findIndex((message) => message.id === messageId)
    return index < 0 ? chat : { ...chat, messages: chat.messages.slice(0, index + 1) }
  })

/** Adds a message; one with an id that is there already takes the old one's place. */
export const saveMessage = (
  state: AssistantState,
  id: string,
  message: Message,
  at: number,
): AssistantState =>
  changeChat(state, id, at, (chat) => {
    const known = chat.messages.some((one) => one.id === message.id)
    return {
      ...chat,
      messages: known
        ? chat.messages.map((one) => (one.id === message.id ? message : one))
        : [...chat.messages, message],
    }
  })

export const saveResult = (
  state: AssistantState,
  id: string,
  messageId: string,
  snippetId: string,
  result: BlockResult,
): AssistantState =>
  changeChat(state, id, undefined, (chat) => ({
    ...chat,
    messages: chat.messages.map((message) =>
      message.id === messageId
        ? { ...message, results: { ...message.results, [snippetId]: result } }
        : message,
    ),
  }))

/** As it is read: the chat that was changed last is active, or a new one begins (requirements §4). */
export function afterLoad(state: AssistantState, now: Now): AssistantState {
  const latest = chatsByTime(state)[0]
  return latest ? { ...state, activeChatId: latest.id } : createChat(state, now)
}

function changeChat(
  state: AssistantState,
  id: string,
  at: number | undefined,
  change: (chat: Chat) => Chat,
): AssistantState {
  const chat = state.chats[id]
  if (!chat) return state
  const changed = change(chat)
  if (changed === chat) return state
  const updatedAt = at ?? chat.updatedAt
  return { ...state, chats: { ...state.chats, [id]: { ...changed, updatedAt } } }
}
