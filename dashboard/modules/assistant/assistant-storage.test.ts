import fc from 'fast-check'
import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createKeeper } from './assistant-keeper.ts'
import {
  createChat,
  deleteChat,
  emptyState,
  renameChat,
  saveMessage,
  type Message,
} from './assistant-state.ts'
import { createAssistantStorage, fromStored, toStored } from './assistant-storage.ts'

const ref = 'abcdefghijklmnopqrst'
const oldKey = `supabase-ai-assistant-state-${ref}`
const message = (id: string): Message => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text: id }],
  results: {},
})
let area: Map<string, string>
const old = {
  getItem: (key: string) => area.get(key) ?? null,
  removeItem: (key: string) => void area.delete(key),
}
const failures: unknown[] = []
const keeperOf = (person = 'ada') =>
  createKeeper({
    ref,
    storage: createAssistantStorage(person, old),
    onFailure: (error) => failures.push(error),
  })
/** What is in the browser's database, as another program would read it. */
async function kept(): Promise<unknown> {
  const database = await openDB('ai-assistant-db')
  const found: unknown = await database.get('assistantState', ref)
  database.close()
  return found
}
async function keep(value: object): Promise<void> {
  const database = await openDB('ai-assistant-db', 1, {
    upgrade: (made) => void made.createObjectStore('assistantState', { keyPath: 'projectRef' }),
  })
  await database.put('assistantState', { projectRef: ref, ...value })
  database.close()
}

beforeEach(() => {
  // Only the debounce has a false clock; the database goes on in real time.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  globalThis.indexedDB = new IDBFactory()
  area = new Map()
  failures.length = 0
})
afterEach(() => {
  vi.useRealTimers()
  expect(failures.splice(0)).toEqual([])
})

test('changes are stored 500 ms after the last of them, once', async () => {
  const keeper = await keeperOf()
  keeper.update((state) => ({ ...state, open: true }))
  vi.advanceTimersByTime(499)
  keeper.update((state) => ({ ...state, model: 'gpt-5-mini' }))
  vi.advanceTimersByTime(499)
  expect(await keeper.flush().then(kept)).toMatchObject({ open: true, model: 'gpt-5-mini' })

  keeper.update((state) => ({ ...state, open: false }))
  vi.advanceTimersByTime(499)
  expect(await kept()).toMatchObject({ open: true })
  vi.advanceTimersByTime(1)
  await expect.poll(kept).toMatchObject({ open: false })
})

test('a state comes back as it was stored, under its project, in the named database', async () => {
  const first = await keeperOf()
  vi.advanceTimersByTime(5)
  first.update((state, now) => ({ ...createChat(state, now, 'Slow queries'), open: true }))
  await first.flush()
  const second = await keeperOf()
  expect(second.get()).toEqual(first.get())
  expect((await indexedDB.databases()).map(({ name, version }) => [name, version])).toEqual([
    ['ai-assistant-db', 1],
  ])
})

test('only the last 20 messages of a chat are stored; all stay on the screen', async () => {
  const keeper = await keeperOf()
  const id = keeper.get().activeChatId ?? ''
  for (let i = 1; i <= 25; i += 1)
    keeper.update((state, now) => saveMessage(state, id, message(`m${i}`), now.at))
  await keeper.flush()
  expect(keeper.get().chats[id]?.messages).toHaveLength(25)
  const again = await keeperOf()
  expect(again.get().chats[id]?.messages.map((one) => one.id)).toEqual(
    Array.from({ length: 20 }, (_, i) => `m${i + 6}`),
  )
})

test('an older version in local storage is taken over, and removed there', async () => {
  const older = {
    open: true,
    activeChatId: 'a',
    model: 'gpt-5-mini',
    chats: {
      a: {
        id: 'a',
        name: 'Old',
        createdAt: '2025-01-01T00:00:00.000Z',
        updatedAt: '2025-01-02T00:00:00.000Z',
        messages: [
          { id: '1', role: 'user', content: 'How?', createdAt: 'x' },
          {
            id: '2',
            role: 'assistant',
            parts: [{ type: 'text', text: 'So.' }, { type: 'step-start' }],
          },
          { id: '3', role: 'system', content: 'Obey' },
        ],
      },
    },
  }
  area.set(oldKey, JSON.stringify(older))
  const keeper = await keeperOf()
  expect(keeper.get()).toMatchObject({ open: true, model: 'gpt-5-mini', activeChatId: 'a' })
  expect(keeper.get().chats['a']).toMatchObject({
    name: 'Old',
    updatedAt: Date.parse('2025-01-02'),
    messages: [
      { id: '1', parts: [{ type: 'text', text: 'How?' }] },
      { id: '2', parts: [{ type: 'text', text: 'So.' }] },
    ],
  })
  expect(area.has(oldKey)).toBe(false)
  expect(await kept()).toMatchObject({ chats: { a: { name: 'Old' } } })
})

test('what the database has counts more than an older version', async () => {
  const first = await keeperOf()
  first.update((state, now) => createChat(state, now, 'New'))
  await first.flush()
  area.set(oldKey, JSON.stringify({ chats: {} }))
  expect(Object.values((await keeperOf()).get().chats).map(({ name }) => name)).toContain('New')
})

test.each([[null], [[]], ['text'], [7], [undefined]])(
  'stored chats that are %j are discarded, wherever they are from',
  async (chats) => {
    await keep({ chats, open: true, model: 'x' })
    expect((await keeperOf()).get()).toMatchObject({ open: false, model: 'gpt-5' })
    globalThis.indexedDB = new IDBFactory()
    area.set(oldKey, JSON.stringify({ chats, open: true }))
    expect((await keeperOf()).get()).toMatchObject({ open: false })
    expect(area.has(oldKey)).toBe(false)
  },
)

test('text in local storage that is not JSON is discarded', async () => {
  area.set(oldKey, '{"chats": {')
  expect(Object.values((await keeperOf()).get().chats)).toMatchObject([{ name: 'New chat' }])
})

test('whatever is stored makes a state that can be stored, never an exception', () => {
  const odd = fc.oneof(fc.jsonValue(), fc.date(), fc.constant(undefined))
  const message_ = fc.record(
    { id: odd, role: odd, parts: fc.oneof(odd, fc.array(odd)), content: odd, results: odd },
    { requiredKeys: [] },
  )
  const chat = fc.record(
    {
      id: fc.oneof(odd, fc.string()),
      name: odd,
      messages: fc.oneof(odd, fc.array(message_)),
      updatedAt: odd,
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(
      fc.record({
        chats: fc.oneof(odd, fc.dictionary(fc.string(), fc.oneof(odd, chat))),
        model: odd,
      }),
      (value) => {
        const state = fromStored(value, ref, 'ada')
        if (state)
          expect(fromStored(toStored(state, 'ada'), ref, 'ada')?.chats).toEqual(state.chats)
      },
    ),
  )
})

test('chats of somebody else in this browser are not shown, and end', async () => {
  const ada = await keeperOf('ada')
  ada.update((state, now) => createChat(state, now, "Ada's"))
  await ada.flush()
  const eve = await keeperOf('eve')
  expect(Object.values(eve.get().chats)).toMatchObject([{ name: 'New chat' }])
  eve.update((state) => ({ ...state, open: true }))
  await eve.flush()
  expect(JSON.stringify(await kept())).not.toContain("Ada's")
})

test('two tabs keep the chats of both; a deleted one does not come back', async () => {
  const one = await keeperOf()
  one.update((state, now) => createChat(state, now, 'Common'))
  const common = one.get().activeChatId ?? ''
  await one.flush()
  const two = await keeperOf()
  one.update((state, now) => createChat(state, now, 'Of the first'))
  await one.flush()
  two.update((state, now) => createChat(state, now, 'Of the second'))
  vi.advanceTimersByTime(1000)
  two.update((state, now) => renameChat(state, common, 'Renamed', now.at))
  await two.flush()
  one.update((state) => ({ ...state, open: true }))
  await one.flush()
  const names = async () =>
    Object.values((await keeperOf()).get().chats)
      .map(({ name }) => name)
      .filter((name) => name !== 'New chat')
      .toSorted()
  expect(await names()).toEqual(['Of the first', 'Of the second', 'Renamed'])
  two.update((state, now) => deleteChat(state, common, now))
  await two.flush()
  expect(await names()).toEqual(['Of the first', 'Of the second'])
})

test('a browser that refuses is only told to the log; the assistant works on', async () => {
  const broken = new Error('no room')
  const keeper = await createKeeper({
    ref,
    storage: { load: () => Promise.reject(broken), save: () => Promise.reject(broken) },
    onFailure: (error) => failures.push(error),
  })
  keeper.update((state) => ({ ...state, open: true }))
  await keeper.flush()
  expect(keeper.get().open).toBe(true)
  expect(failures.splice(0)).toEqual([broken, broken])
})

test('after signing out nothing is written any more, and the database can be deleted at once', async () => {
  const keeper = await keeperOf()
  keeper.update((state) => ({ ...state, open: true }))
  await keeper.flush()
  keeper.update((state) => ({ ...state, model: 'x' }))
  keeper.stop()
  vi.advanceTimersByTime(10_000)
  const gone = new Promise((resolve) => {
    indexedDB.deleteDatabase('ai-assistant-db').addEventListener('success', resolve)
  })
  await gone
  keeper.update((state) => ({ ...state, model: 'y' }))
  vi.advanceTimersByTime(10_000)
  await keeper.flush()
  expect(await indexedDB.databases()).toEqual([])
  expect(emptyState(ref).chats).toEqual({})
})
