import { describe, expect, test } from 'vitest'
import type { LogFilter } from '#contract/observability/logs'
import type { LogStore } from '../../logs/log-store.ts'
import { event, range, request } from './events.ts'

const all = { since: 0, auditSince: 0 }

/** What holds for the counted values of fields of every store. */
export function facetConformance(store: () => LogStore, logsRef: () => string): void {
  describe('counted values', () => {
    test('facets are the most frequent values of a field', async () => {
      const ref = logsRef()
      store().append(ref, [
        request('a', 1),
        request('b', 2),
        request('c', 3, { status: 500 }),
        event('d', 4, { rest: { 'parsed.process_id': 3, 'parsed.detail': 'x' } }),
      ])
      const fields = ['status', 'source', 'parsed.process_id', 'parsed.detail', 'user_id']
      expect(await store().facets(ref, { ...range(0, 60), fields }, all)).toEqual({
        status: [
          { value: 200, count: 2 },
          { value: 500, count: 1 },
        ],
        source: [
          { value: 'edge_logs', count: 3 },
          { value: 'postgres_logs', count: 1 },
        ],
        'parsed.process_id': [{ value: 3, count: 1 }],
        'parsed.detail': [{ value: 'x', count: 1 }],
        user_id: [],
      })
    })

    test('a field that is filtered is counted as if it were not, where that is asked for', async () => {
      const ref = logsRef()
      store().append(ref, [
        request('a', 1),
        request('b', 2, { method: 'POST' }),
        request('c', 3, { status: 500, method: 'POST' }),
        request('d', 4, { status: 404, method: 'POST', path: '/auth/v1/token' }),
        event('e', 5),
      ])
      const fields = ['status', 'method', 'source', 'status']
      const filters: LogFilter[] = [
        { field: 'status', op: 'at_least', values: [400] },
        { field: 'method', op: 'is', values: ['POST'] },
        { field: 'path', op: 'contains', values: ['/rest/'] },
      ]
      const asked = { ...range(0, 60), fields, filters }
      const method = [{ value: 'POST', count: 1 }]
      const source = [{ value: 'edge_logs', count: 1 }]
      expect(await store().facets(ref, asked, all)).toEqual({
        status: [{ value: 500, count: 1 }],
        method,
        source,
      })
      expect(await store().facets(ref, { ...asked, without_own: true }, all)).toEqual({
        // Of the status POST alone decides, of the method the status alone, of the source both.
        status: [
          { value: 200, count: 1 },
          { value: 500, count: 1 },
        ],
        method,
        source,
      })
      const other = { ...asked, filters: filters.slice(0, 2), without_own: true }
      expect((await store().facets(ref, other, all))['method']).toEqual([
        { value: 'POST', count: 2 },
      ])
    })
  })
}
