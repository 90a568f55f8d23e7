import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDrafts } from '../../../session/identity/drafts.ts'
import type { QueryDraft } from './editor/query-title.ts'
import { createOpenQuery, createOpenTabs, type PutResult, type Server } from './open-query.ts'
import { emptyValues, type Saved, type Values } from './running/query-values.ts'

/** Storage as a browser has it. */
function memory(): Storage {
  const map = new Map<string, string>()
  return {
    get length() {
      return map.size
    },
    key: (i) => [...map.keys()][i] ?? null,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
    clear: () => map.clear(),
  }
}

/** Keeps one query by the server's rules; `next` decides what happens to the next save. */
function fakeServer(row?: Saved) {
  const state = { row, next: 'ok' as 'ok' | 'down' | 'lost' | 'refused', puts: 0 }
  const down: PutResult = {
    ok: false,
    reason: 'failed',
    message: 'no net',
    again: true,
    unsure: true,
  }
  const server: Server = {
    async put(_id, values, revision) {
      state.puts += 1
      const mode = state.next
      if (mode === 'down') return down
      if (mode === 'refused') return { ...down, message: 'too long', again: false, unsure: false }
      if (state.row && state.row.revision !== revision) return { ok: false, reason: 'conflict' }
      state.row = { ...values, revision: revision + 1, ownerId: 1, owner: 'me' }
      return mode === 'lost' ? down : { ok: true, saved: state.row }
    },
    read: async () => state.row,
  }
  return { state, server }
}

const draftsOf = (area: ReturnType<typeof memory>, scope: string, tab: string) =>
  createDrafts<QueryDraft>(area, { kind: 'sql-draft', scope }, tab)

const saved = (sql: string, revision = 1): Saved => ({
  ...emptyValues,
  sql,
  revision,
  ownerId: 1,
  owner: 'me',
})
const open = (row?: Saved, values?: { sql: string; revision: number | null }) => {
  const { state, server } = fakeServer(row)
  const area = memory()
  const drafts = draftsOf(area, 'p', 't')
  const draft = values && {
    id: 'q',
    values: { ...emptyValues, sql: values.sql },
    revision: values.revision,
    at: 1,
  }
  return { state, area, query: createOpenQuery({ id: 'q', saved: row, draft, server, drafts }) }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a change is kept here, then saved, then the local copy goes', async () => {
  const { query, state, area } = open()
  query.edit({ sql: 'select 1' })
  expect(query.view().save.kind).toBe('waiting')
  await vi.advanceTimersByTimeAsync(300)
  expect([area.length, state.puts]).toEqual([1, 0])
  await vi.advanceTimersByTimeAsync(500)
  expect(state.row).toMatchObject({ sql: 'select 1', revision: 1 })
  expect([query.view().save.kind, area.length]).toEqual(['saved', 0])
})

test('typing does not wait for a save, and is saved after it', async () => {
  const { query, state } = open(saved('a'))
  query.edit({ sql: 'ab' })
  const first = query.save()
  query.edit({ sql: 'abc' })
  await first
  expect(query.view().values.sql).toBe('abc')
  await vi.advanceTimersByTimeAsync(1000)
  expect(state.row).toMatchObject({ sql: 'abc', revision: 3 })
  expect(query.view().save.kind).toBe('saved')
})

test('back to what is saved: nothing is sent', async () => {
  const { query, state, area } = open(saved('a'))
  query.edit({ sql: 'b' })
  query.edit({ sql: 'a' })
  await vi.advanceTimersByTimeAsync(5000)
  expect([state.puts, area.length, query.view().save.kind]).toEqual([0, 0, 'saved'])
})

test('without a network the text stays here and is sent when it is back', async () => {
  const { query, state, area } = open(saved('a'))
  state.next = 'down'
  query.edit({ sql: 'b' })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(query.view().save).toMatchObject({ kind: 'failed', again: true })
  expect([area.length, state.row?.sql]).toEqual([1, 'a'])
  state.next = 'ok'
  await vi.advanceTimersByTimeAsync(31_000)
  expect([state.row?.sql, query.view().save.kind, area.length]).toEqual(['b', 'saved', 0])
})

test('a refused save is not repeated by itself', async () => {
  const { query, state } = open(saved('a'))
  state.next = 'refused'
  query.edit({ sql: 'b' })
  await vi.advanceTimersByTimeAsync(120_000)
  expect(state.puts).toBe(1)
  expect(query.view().save).toMatchObject({ kind: 'failed', message: 'too long' })
})

test('a save whose answer got lost is no conflict', async () => {
  const { query, state } = open(saved('a'))
  state.next = 'lost'
  query.edit({ sql: 'b' })
  await vi.advanceTimersByTimeAsync(800)
  state.next = 'ok'
  query.edit({ sql: 'bc' })
  await vi.advanceTimersByTimeAsync(5000)
  expect([query.view().save.kind, state.row?.sql]).toEqual(['saved', 'bc'])
})

test("someone else's change stops saving until a person decides", async () => {
  const { query, state } = open(saved('a'))
  state.row = saved('theirs', 5)
  query.edit({ sql: 'mine' })
  await vi.advanceTimersByTimeAsync(800)
  expect(query.view().save).toMatchObject({ kind: 'conflict', theirs: { sql: 'theirs' } })
  query.edit({ sql: 'mine too' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect([state.row.sql, state.puts]).toEqual(['theirs', 1])
  await query.keepMine()
  await vi.advanceTimersByTimeAsync(1000)
  expect(state.row).toMatchObject({ sql: 'mine too', revision: 6 })
})

test('typing what the other one made ends the conflict', async () => {
  const { query, state, area } = open(saved('a'))
  state.row = saved('theirs', 5)
  query.edit({ sql: 'mine' })
  await vi.advanceTimersByTimeAsync(800)
  query.edit({ sql: 'theirs' })
  expect(query.view().save.kind).toBe('saved')
  query.edit({ sql: 'theirs, and more' })
  await vi.advanceTimersByTimeAsync(5000)
  expect([area.length, state.row]).toEqual([0, saved('theirs, and more', 6)])
})

test('taking theirs replaces the text and drops the local copy', async () => {
  const { query, state, area } = open(saved('a'))
  state.row = saved('theirs', 5)
  query.edit({ sql: 'mine' })
  await vi.advanceTimersByTimeAsync(800)
  query.takeTheirs()
  expect(query.view()).toMatchObject({ values: { sql: 'theirs' }, replaced: 1 })
  await vi.advanceTimersByTimeAsync(5000)
  expect([area.length, state.row.sql]).toEqual([0, 'theirs'])
})

test('a draft from a crash is saved when nobody changed the query since', async () => {
  const { query, state } = open(saved('a', 3), { sql: 'draft', revision: 3 })
  expect(query.view().values.sql).toBe('draft')
  await vi.advanceTimersByTimeAsync(800)
  expect(state.row).toMatchObject({ sql: 'draft', revision: 4 })
})

test('a draft older than the saved query is for a person to decide', async () => {
  const { query, state } = open(saved('newer', 4), { sql: 'draft', revision: 3 })
  expect(query.view().save.kind).toBe('conflict')
  await vi.advanceTimersByTimeAsync(5000)
  expect(state.puts).toBe(0)
})

test('a newer version is taken only when nothing was typed', async () => {
  const { query } = open(saved('a', 1))
  query.accept(saved('b', 2))
  expect(query.view().values.sql).toBe('b')
  query.edit({ sql: 'mine' })
  query.accept(saved('c', 3))
  expect(query.view().values.sql).toBe('mine')
})

test('a closed query saves nothing more', async () => {
  const { query, state, area } = open(saved('a'))
  query.edit({ sql: 'b' })
  query.close()
  await vi.advanceTimersByTimeAsync(5000)
  expect([state.puts, area.length]).toEqual([0, 0])
})

test('whatever happens, the last text is on the server, in the browser, or in front of a person', async () => {
  const step = fc.oneof(
    fc.record({ type: fc.constant('edit' as const), sql: fc.string() }),
    fc.record({ type: fc.constant('wait' as const), ms: fc.nat(3000) }),
    fc.record({
      type: fc.constant('net' as const),
      next: fc.constantFrom('ok' as const, 'down' as const, 'lost' as const),
    }),
    fc.record({ type: fc.constant('other' as const), sql: fc.string() }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const { query, state, area } = open(saved('start'))
      const foreign = new Set<string>()
      for (const one of steps) {
        if (one.type === 'edit') query.edit({ sql: one.sql })
        else if (one.type === 'wait') await vi.advanceTimersByTimeAsync(one.ms)
        else if (one.type === 'net') state.next = one.next
        else {
          foreign.add(one.sql)
          state.row = saved(one.sql, (state.row?.revision ?? 0) + 1)
        }
      }
      state.next = 'ok'
      await vi.advanceTimersByTimeAsync(120_000)
      const { save, values } = query.view()
      if (save.kind === 'conflict') {
        expect(area.length).toBe(1)
        expect(save.theirs.sql).not.toBe(values.sql)
      } else {
        expect(save.kind).toBe('saved')
        // Someone else may have written after our save; then their text stands and ours was seen saved.
        if (!foreign.size) expect(state.row?.sql).toBe(values.sql)
      }
    }),
    { numRuns: 300 },
  )
})

test('drafts of living tabs are left alone, the newest orphan comes first', () => {
  const area = memory()
  const values: Values = { ...emptyValues, sql: 'x' }
  for (const [tab, at] of [
    ['one', 1],
    ['two', 2],
    ['three', 3],
  ] as const)
    draftsOf(area, 'p', tab).keep({ id: 'q', values, revision: null, at })
  draftsOf(area, 'other project', 'four').keep({ id: 'q', values, revision: null, at: 4 })
  area.setItem('plinth.sql-draft.p.q.broken', '{"id":')
  const mine = draftsOf(area, 'p', 'five')
  expect(mine.orphans(new Set(['three'])).map(({ at }) => at)).toEqual([2, 1])
  const [newest] = mine.orphans(new Set(['three']))
  if (newest) mine.adopt(newest)
  expect(mine.orphans(new Set(['three'])).map(({ at }) => at)).toEqual([1])
})

const area = (start: Record<string, string> = {}) => {
  const map = new Map(Object.entries(start))
  return {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
  }
}

test('tabs keep their order, names follow, and all come back after a reload', () => {
  const storage = area()
  const tabs = createOpenTabs(storage, 'p')
  tabs.show('a', 'A')
  tabs.show('b', 'B')
  tabs.show('a', 'A2')
  expect(createOpenTabs(storage, 'p').list()).toEqual([
    { id: 'a', name: 'A2' },
    { id: 'b', name: 'B' },
  ])
  expect(createOpenTabs(storage, 'other').list()).toEqual([])
})

test('closing goes to the right neighbour, at the end to the left one', () => {
  const tabs = createOpenTabs(area(), 'p')
  for (const id of ['a', 'b', 'c']) tabs.show(id, id)
  expect([tabs.close('b'), tabs.close('c'), tabs.close('a'), tabs.close('a')]).toEqual([
    'c',
    'a',
    undefined,
    undefined,
  ])
})

test.each(['{', '7', '[1,{"id":2}]'])('what is not ours in storage is ignored: %s', (text) => {
  expect(createOpenTabs(area({ 'plinth.sql-editor-tabs-p': text }), 'p').list()).toEqual([])
})

test('storage without room loses nothing but the tabs', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
  }
  const tabs = createOpenTabs(full, 'p')
  tabs.show('a', 'A')
  expect(tabs.list()).toHaveLength(1)
})
