import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logSources } from '#contract/observability/log-sources'
import type { LogEvent, LogFilter, PageQuestion } from '#contract/observability/logs'
import type { LogStore } from '../../logs/log-store.ts'
import { facetConformance } from './conformance-facets.ts'
import { sqlConformance } from './conformance-sql.ts'
import { event, noon, page, range, request } from './events.ts'

export type StoreHarness = {
  /** Its clock stands in the afternoon of the day of `noon`. */
  store: LogStore
  close(): Promise<void>
}

const all = { since: 0, auditSince: 0 }
export const idsOf = (events: readonly LogEvent[]) => events.map(({ id }) => id)

let refs = 0
/** A ref that no other test uses. */
export function logsRef(): string {
  const digits = (refs++).toString().padStart(4, '0')
  return `logsoftest${digits.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}abcdef`
}

/** The suite every store of logs must pass. */
export function logStoreConformance(name: string, open: () => Promise<StoreHarness>): void {
  describe(`log store ${name}`, () => {
    let harness: StoreHarness
    let store: LogStore
    beforeAll(async () => {
      harness = await open()
      store = harness.store
    })
    afterAll(() => harness.close())
    const ids = async (ref: string, question: PageQuestion) =>
      idsOf((await store.page(ref, question, all)).events)

    test('a project without entries answers with none', async () => {
      const ref = logsRef()
      expect(await store.page(ref, page(0, 60), all)).toEqual({ events: [], lost: [] })
      expect(await store.trace(ref, { request_id: 'x', timestamp: noon }, all)).toEqual([])
      expect(await store.facets(ref, { ...range(0, 60), fields: ['status'] }, all)).toEqual({
        status: [],
      })
      const { bars } = await store.histogram(ref, { ...range(0, 60), bars: 2 }, all)
      expect(bars.map(({ info }) => info)).toEqual([0, 0])
      expect(await store.oldest(ref)).toBeUndefined()
    })

    test('what was appended is answered at once, whole', async () => {
      const ref = logsRef()
      store.append(ref, [
        event('a', 1, {
          message: 'with "quotes", \n lines and 😀',
          level: 'error',
          columns: { severity: 'ERROR', request_id: 'r1' },
          rest: { 'parsed.detail': 'a detail', 'parsed.process_id': 7 },
        }),
        request('b', 2, { status: 404, search: '?id=eq.1', duration: 1.5, user_agent: 'curl' }),
      ])
      const { events } = await store.page(ref, page(0, 60), all)
      expect(events).toEqual([
        {
          id: 'b',
          timestamp: noon + 2_000_000,
          source: 'edge_logs',
          level: 'info',
          event_message: 'GET | 404 | example.com/rest/v1/books?id=eq.1 | curl',
          fields: {
            method: 'GET',
            path: '/rest/v1/books',
            host: 'example.com',
            status: 404,
            search: '?id=eq.1',
            duration: 1.5,
            user_agent: 'curl',
          },
        },
        {
          id: 'a',
          timestamp: noon + 1_000_000,
          source: 'postgres_logs',
          level: 'error',
          event_message: 'with "quotes", \n lines and 😀',
          fields: {
            severity: 'ERROR',
            request_id: 'r1',
            'parsed.detail': 'a detail',
            'parsed.process_id': 7,
          },
        },
      ])
    })

    test('text that is no text is kept as far as it is one', async () => {
      const ref = logsRef()
      const half = '\ud800'
      store.append(ref, [
        event('a', 1, { message: `x${half}y\u0000z`, rest: { [`parsed.hint${half}`]: half } }),
      ])
      const { events } = await store.page(ref, page(0, 60), all)
      expect(events[0]?.event_message).toBe('x\ufffdy\u0000z')
    })

    test('pages follow each other without doubles and holes, both ways', async () => {
      const ref = logsRef()
      // Several in the same microsecond: their ids decide.
      const made = Array.from({ length: 53 }, (_, at) =>
        event(`e${String(at).padStart(2, '0')}`, Math.floor(at / 4)),
      )
      store.append(ref, made.toReversed())
      const expected = made.map(({ id }) => id)
      for (const direction of ['older', 'newer'] as const) {
        const seen: string[] = []
        let cursor: PageQuestion['cursor']
        let pages = 0
        do {
          const question = page(0, 60, { limit: 7, direction, ...(cursor && { cursor }) })
          const found = await store.page(ref, question, all)
          seen.push(...idsOf(found.events))
          cursor = found.next
          pages += 1
        } while (cursor && pages < 20)
        expect(seen).toEqual(direction === 'older' ? expected.toReversed() : expected)
      }
    })

    test('an entry that was handed over twice is on a page once', async () => {
      const ref = logsRef()
      store.append(ref, [event('a', 1), event('b', 2)])
      await store.flush()
      store.append(ref, [event('a', 1)])
      expect(await ids(ref, page(0, 60))).toEqual(['b', 'a'])
      expect(await ids(ref, page(0, 60, { direction: 'newer', limit: 1 }))).toEqual(['a'])
    })

    test('a range has its first moment and not its last; what is older than kept is not there', async () => {
      const ref = logsRef()
      store.append(ref, [event('a', 1), event('b', 2), event('c', 3)])
      expect(await ids(ref, page(1, 3))).toEqual(['b', 'a'])
      const kept = { since: noon + 2_000_000, auditSince: noon + 2_000_000 }
      expect(idsOf((await store.page(ref, page(0, 60), kept)).events)).toEqual(['c', 'b'])
      const { bars } = await store.histogram(ref, { ...range(0, 4), bars: 4 }, kept)
      expect(bars.map(({ info }) => info)).toEqual([0, 0, 1, 1])
      expect(await store.page(ref, page(3, 1), all)).toEqual({ events: [], lost: [] })
    })

    test('the audit of Auth is kept for a time of its own', async () => {
      const ref = logsRef()
      const audit = (id: string, at: number) =>
        event(id, at, { source: 'auth_audit_logs', columns: { request_id: 'one' } })
      store.append(ref, [
        event('a', 1, { columns: { request_id: 'one' } }),
        audit('b', 1),
        audit('c', 2),
      ])
      const kept = { since: 0, auditSince: noon + 2_000_000 }
      const everything = page(0, 60, { sources: [...logSources] })
      expect(idsOf((await store.page(ref, everything, kept)).events)).toEqual(['c', 'a'])
      const traced = await store.trace(ref, { request_id: 'one', timestamp: noon }, kept)
      expect(idsOf(traced)).toEqual(['a', 'c'])
    })

    sqlConformance(() => store, logsRef)
    facetConformance(() => store, logsRef)

    describe('filters', () => {
      const ref = logsRef()
      beforeAll(() =>
        store.append(ref, [
          request('ok', 1, { status: 200, path: '/rest/v1/Books' }),
          request('gone', 2, { status: 404, path: '/auth/v1/token' }, { level: 'warning' }),
          request('down', 3, { status: 503, duration: 12.5 }, { level: 'error' }),
          event('pg', 4, {
            columns: { severity: 'ERROR' },
            rest: { 'parsed.sql_state_code': '42P01', 'parsed.process_id': 12 },
          }),
        ]),
      )
      const cases: [string, LogFilter[], string[]][] = [
        ['a number', [{ field: 'status', op: 'is', values: [404] }], ['gone']],
        ['a number as text', [{ field: 'status', op: 'is', values: ['404'] }], ['gone']],
        ['several', [{ field: 'status', op: 'is', values: [200, 404] }], ['gone', 'ok']],
        ['no number', [{ field: 'status', op: 'is', values: ['x'] }], []],
        [
          'not, with those that have none',
          [{ field: 'status', op: 'is_not', values: [200, 404] }],
          ['pg', 'down'],
        ],
        ['at least', [{ field: 'status', op: 'at_least', values: [404] }], ['down', 'gone']],
        ['at most', [{ field: 'duration', op: 'at_most', values: [12.5] }], ['down']],
        ['at least of no number', [{ field: 'status', op: 'at_least', values: ['x'] }], []],
        [
          'a part',
          [{ field: 'path', op: 'contains', values: ['books', 'TOKEN'] }],
          ['down', 'gone', 'ok'],
        ],
        ['a part of a number', [{ field: 'status', op: 'contains', values: ['50'] }], ['down']],
        ['a path', [{ field: 'parsed.sql_state_code', op: 'is', values: ['42P01'] }], ['pg']],
        [
          'a number in a path',
          [{ field: 'parsed.process_id', op: 'at_least', values: [12] }],
          ['pg'],
        ],
        [
          'not of a path',
          [{ field: 'parsed.process_id', op: 'is_not', values: [12] }],
          ['down', 'gone', 'ok'],
        ],
        ['a level', [{ field: 'level', op: 'is', values: ['error'] }], ['down']],
        ['a source', [{ field: 'source', op: 'is_not', values: ['edge_logs'] }], ['pg']],
        [
          'both of two',
          [
            { field: 'method', op: 'is', values: ['GET'] },
            { field: 'level', op: 'is', values: ['warning'] },
          ],
          ['gone'],
        ],
        ['text of SQL', [{ field: 'path', op: 'is', values: ["' or 1=1 --"] }], []],
      ]
      test.each(cases)('%s', async (_name, filters, expected) => {
        expect(await ids(ref, page(0, 60, { filters }))).toEqual(expected)
      })
      test('a source that was not asked for', async () => {
        expect(await ids(ref, page(0, 60, { sources: ['postgres_logs'] }))).toEqual(['pg'])
        expect(await ids(ref, page(0, 60, { sources: ['auth_logs'] }))).toEqual([])
        expect(await ids(ref, page(0, 60, { sources: [...logSources] }))).toHaveLength(4)
      })
    })

    describe('search', () => {
      const ref = logsRef()
      beforeAll(() =>
        store.append(ref, [
          event('a', 1, { message: 'Relation "books" does not exist, 100% of_it' }),
          request('b', 2, { path: '/rest/v1/BOOKS', search: '?select=title' }),
          request('c', 3, { path: '/auth/v1/token', status: 400 }),
        ]),
      )
      const cases: [string, string, boolean, string[]][] = [
        ['text, whatever the case', 'bOOks', false, ['b', 'a']],
        ['the search of an address', 'select=Title', false, ['b']],
        ['what looks like a wildcard', '100% of_it', false, ['a']],
        ['wildcards are none', 'r%n', false, []],
        ['the message of a request', 'get | 400', false, ['c']],
        ['a regular expression', 'books.*exist$|tok.n', true, ['c']],
        ['a regular expression of a message', '^relation "[a-z]+"', true, ['a']],
        ['text of SQL', "'); drop table entries; --", false, []],
      ]
      test.each(cases)('%s', async (_name, search, isPattern, expected) => {
        expect(await ids(ref, page(0, 60, { search, is_pattern: isPattern }))).toEqual(expected)
      })
      test.each(['(', 'a{1001}', '(?<n>a)', '[z-a]'])(
        'a regular expression that is none is refused: %s',
        async (search) => {
          const wrong = { search, is_pattern: true }
          const refusal = { code: 'invalid_input', status: 400 }
          await expect(store.page(ref, page(0, 60, wrong), all)).rejects.toMatchObject(refusal)
          const bars = { ...range(0, 60, wrong), bars: 3 }
          await expect(store.histogram(ref, bars, all)).rejects.toMatchObject(refusal)
        },
      )
    })

    test('a histogram has every bar, and counts by level', async () => {
      const ref = logsRef()
      store.append(ref, [
        event('a', 0),
        event('b', 5, { level: 'debug' }),
        event('c', 9.999999, { level: 'error' }),
        event('d', 10, { level: 'warning' }),
        event('e', 39.9),
        event('f', 40),
      ])
      const { step, bars } = await store.histogram(ref, { ...range(0, 40), bars: 4 }, all)
      expect(step).toBe(10_000)
      const at = noon / 1000
      expect(bars).toEqual([
        { at, info: 2, warning: 0, error: 1 },
        { at: at + 10_000, info: 0, warning: 1, error: 0 },
        { at: at + 20_000, info: 0, warning: 0, error: 0 },
        { at: at + 30_000, info: 1, warning: 0, error: 0 },
      ])
      const short = await store.histogram(ref, { ...range(0, 0.01), bars: 200 }, all)
      expect(short.step).toBe(1)
      expect(short.bars).toHaveLength(10)
    })

    test('an ID finds the entries of its request', async () => {
      const ref = logsRef()
      const id = '5bb3a1c4-0f3e-4a68-9a53-7f8a1d2c3b4e'
      store.append(ref, [
        request('a', 1, { request_id: id }),
        event('b', 2, { columns: { request_id: id } }),
        event('c', 3, { message: `told of ${id}` }),
        event('d', 4, { columns: { request_id: id.replace('5', '6') } }),
      ])
      const found = async (search: string) =>
        idsOf((await store.page(ref, page(0, 60, { search }), all)).events)
      expect(await found(id.toUpperCase())).toEqual(['c', 'b', 'a'])
      // A part of one is a text like any other.
      expect(await found(id.slice(0, 20))).toEqual(['c'])
    })

    test('the entries of one request, from all sources, the oldest first', async () => {
      const ref = logsRef()
      const of = { request_id: 'r1' }
      store.append(ref, [
        request('b', 2, of),
        event('a', 1, { columns: of, source: 'function_logs' }),
        event('c', 3, { columns: of }),
        event('other', 2, { columns: { request_id: 'r2' } }),
        event('later', 3602, { columns: of }),
      ])
      const question = { request_id: 'r1', timestamp: noon + 1_000_000 }
      expect(idsOf(await store.trace(ref, question, all))).toEqual(['a', 'b', 'c'])
      const kept = { since: noon + 2_000_000, auditSince: noon + 2_000_000 }
      expect(idsOf(await store.trace(ref, question, kept))).toEqual(['b', 'c'])
    })

    test('what was lost is told on the page that has its time, and counted nowhere', async () => {
      const ref = logsRef()
      store.append(ref, [event('a', 1), event('b', 9)])
      const lost = { from: noon + 5e6, to: noon + 6e6, count: 12, reason: 'rate' as const }
      store.lose(ref, lost)
      const found = await store.page(ref, page(0, 60, { search: 'message of b' }), all)
      expect(found).toEqual({ events: [expect.objectContaining({ id: 'b' })], lost: [lost] })
      expect((await store.page(ref, page(0, 4), all)).lost).toEqual([])
      const facets = await store.facets(ref, { ...range(0, 60), fields: ['source'] }, all)
      expect(facets['source']).toEqual([{ value: 'postgres_logs', count: 2 }])
    })

    test('two projects never meet', async () => {
      const [mine, other] = [logsRef(), logsRef()]
      store.append(mine, [event('mine', 1)])
      store.append(other, [event('other', 1)])
      expect(await ids(mine, page(0, 60))).toEqual(['mine'])
      expect(await ids(other, page(0, 60))).toEqual(['other'])
      await store.drop(mine)
      expect(await ids(mine, page(0, 60))).toEqual([])
      expect(await ids(other, page(0, 60))).toEqual(['other'])
    })

    test('days that ended before a moment are removed, and what comes later is kept', async () => {
      const ref = logsRef()
      const day = 86_400
      store.append(ref, [event('a', -2 * day), event('b', -day), event('c', 0)])
      await store.flush()
      const midnight = noon - 43_200e6
      expect(await store.oldest(ref)).toBe(midnight - 2 * day * 1e6)
      await store.retain(ref, midnight)
      expect(await store.oldest(ref)).toBe(midnight)
      store.append(ref, [event('d', 1)])
      expect(await ids(ref, page(-3 * day, 60))).toEqual(['d', 'c'])
    })

    test('a project goes on after its logs were removed', async () => {
      const ref = logsRef()
      store.append(ref, [event('a', 1)])
      await store.flush()
      await store.drop(ref)
      await store.drop(ref)
      store.append(ref, [event('b', 2)])
      expect(await ids(ref, page(0, 60))).toEqual(['b'])
    })

    test('whoever gives up is answered so, and the next question works', async () => {
      const ref = logsRef()
      store.append(ref, [event('a', 1)])
      const gone = AbortSignal.abort()
      await expect(store.page(ref, page(0, 60), all, gone)).rejects.toThrow(/abort/i)
      expect(await ids(ref, page(0, 60))).toEqual(['a'])
    })
  })
}
