import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  activeChat,
  afterLoad,
  chatsByTime,
  clearMessages,
  createChat,
  defaultChatName,
  deleteChat,
  deleteMessagesAfter,
  emptyState,
  renameChat,
  saveMessage,
  saveResult,
  selectChat,
  type AssistantState,
  type Message,
} from './assistant-state.ts'

const ref = 'abcdefghijklmnopqrst'
const at = (time: number, id = `c${time}`) => ({ id: () => id, at: time })
const message = (id: string, text = id): Message => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text }],
  results: {},
})
const withChats = (...times: number[]) =>
  times.reduce((state, time) => createChat(state, at(time)), emptyState(ref))
const idsOf = (state: AssistantState, id: string) => state.chats[id]?.messages.map((one) => one.id)

test('a new state is closed, names the default model and has no chat', () => {
  expect(emptyState(ref)).toEqual({
    projectRef: ref,
    open: false,
    activeChatId: undefined,
    model: 'gpt-5',
    chats: {},
    initialInput: '',
    sqlSnippets: [],
    suggestions: [],
    tables: [],
  })
})

test('a chat begins as "New chat", empty and active', () => {
  const state = createChat(emptyState(ref), at(7, 'a'))
  expect(activeChat(state)).toEqual({
    id: 'a',
    name: 'New chat',
    messages: [],
    createdAt: 7,
    updatedAt: 7,
  })
})

test('of several chats any can be selected; an unknown one changes nothing', () => {
  const state = withChats(1, 2, 3)
  expect(selectChat(state, 'c1').activeChatId).toBe('c1')
  expect(selectChat(state, 'nope')).toBe(state)
})

test('renaming trims, counts as a change, and an empty name is the default one', () => {
  const state = renameChat(withChats(1), 'c1', '  Slow queries ', 9)
  expect(state.chats['c1']).toMatchObject({ name: 'Slow queries', updatedAt: 9, createdAt: 1 })
  expect(renameChat(state, 'c1', ' ', 10).chats['c1']?.name).toBe(defaultChatName)
})

test('when the active chat is deleted the first that remains is active; after the last a new one begins', () => {
  const state = selectChat(withChats(1, 2, 3), 'c2')
  expect(deleteChat(state, 'c2', at(9)).activeChatId).toBe('c1')
  expect(deleteChat(state, 'c3', at(9)).activeChatId).toBe('c2')
  expect(deleteChat(state, 'nope', at(9))).toBe(state)
  const last = deleteChat(withChats(1), 'c1', at(9, 'new'))
  expect(Object.keys(last.chats)).toEqual(['new'])
  expect(last.activeChatId).toBe('new')
})

test('a message with a known id takes the place of the old one, any other comes last', () => {
  let state = withChats(1)
  for (const id of ['a', 'b', 'c']) state = saveMessage(state, 'c1', message(id), 2)
  state = saveMessage(state, 'c1', message('b', 'changed'), 3)
  expect(idsOf(state, 'c1')).toEqual(['a', 'b', 'c'])
  expect(state.chats['c1']?.messages[1]?.parts).toEqual([{ type: 'text', text: 'changed' }])
  expect(state.chats['c1']?.updatedAt).toBe(3)
})

test('deleting after a message keeps it and all before; clearing keeps the chat', () => {
  let state = withChats(1)
  for (const id of ['a', 'b', 'c']) state = saveMessage(state, 'c1', message(id), 2)
  expect(idsOf(deleteMessagesAfter(state, 'c1', 'a', 3), 'c1')).toEqual(['a'])
  expect(idsOf(deleteMessagesAfter(state, 'c1', 'c', 3), 'c1')).toEqual(['a', 'b', 'c'])
  expect(deleteMessagesAfter(state, 'c1', 'nope', 3)).toBe(state)
  expect(clearMessages(state, 'c1', 3).chats['c1']).toMatchObject({
    name: 'New chat',
    messages: [],
  })
})

test('a result is kept by its snippet, and does not make the chat newer', () => {
  const result = {
    sql: 'select 1 as n',
    status: 'done' as const,
    columns: ['n'],
    rows: [['1']],
    count: 1,
    command: 'SELECT',
    ms: 1,
  }
  const state = saveResult(
    saveMessage(withChats(1), 'c1', message('a'), 2),
    'c1',
    'a',
    'sql-3',
    result,
  )
  expect(state.chats['c1']?.messages[0]?.results).toEqual({ 'sql-3': result })
  expect(state.chats['c1']?.updatedAt).toBe(2)
})

test('on load the chat that was changed last is active, or a new one begins', () => {
  const state = renameChat(withChats(1, 2, 3), 'c2', 'x', 99)
  expect(afterLoad({ ...state, activeChatId: 'c1' }, at(100)).activeChatId).toBe('c2')
  const fresh = afterLoad(emptyState(ref), at(5, 'first'))
  expect(fresh.activeChatId).toBe('first')
  expect(activeChat(fresh)?.name).toBe('New chat')
})

const step = fc.oneof(
  fc.record({ do: fc.constant('create' as const) }),
  fc.record({
    do: fc.constantFrom('select', 'delete', 'clear', 'say', 'cut', 'rename'),
    which: fc.nat(5),
  }),
)

test('whatever is done, there is an active chat, and what is not touched stays the same object', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let time = 1
      let state = afterLoad(emptyState(ref), at(0, 'start'))
      for (const one of steps) {
        time += 1
        const before = state
        const ids = Object.keys(state.chats)
        const id = 'which' in one ? (ids[one.which % ids.length] ?? '') : ''
        const now = at(time)
        if (one.do === 'create') state = createChat(state, now)
        else if (one.do === 'select') state = selectChat(state, id)
        else if (one.do === 'delete') state = deleteChat(state, id, now)
        else if (one.do === 'clear') state = clearMessages(state, id, time)
        else if (one.do === 'say') state = saveMessage(state, id, message(`m${time}`), time)
        else if (one.do === 'rename') state = renameChat(state, id, `n${time}`, time)
        else {
          const first = state.chats[id]?.messages[0]
          state = deleteMessagesAfter(state, id, first?.id ?? 'none', time)
        }
        expect(activeChat(state)).toBeDefined()
        for (const [other, chat] of Object.entries(before.chats)) {
          if (other !== id && state.chats[other]) expect(state.chats[other]).toBe(chat)
        }
        const order = chatsByTime(state).map((chat) => chat.updatedAt)
        expect(order).toEqual(order.toSorted((a, b) => b - a))
      }
    }),
  )
})
