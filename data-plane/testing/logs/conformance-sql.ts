import { beforeAll, describe, expect, test } from 'vitest'
import type { SqlQuestion } from '#contract/observability/logs'
import type { LogStore } from '../../logs/log-store.ts'
import { event, noon, range, request } from './events.ts'

const all = { since: 0, auditSince: 0 }

/** What holds for questions in SQL of every store. */
export function sqlConformance(store: () => LogStore, logsRef: () => string): void {
  describe('questions in SQL', () => {
    const ref = logsRef()
    const ask = (sql: string, more: Partial<SqlQuestion> = {}, of = ref) =>
      store().query(of, { sql, dialect: 'analytics', ...span(0, 60), ...more }, all)
    const span = (from: number, to: number) => {
      const { from: start, to: end } = range(from, to)
      return { from: start, to: end }
    }
    beforeAll(() =>
      store().append(ref, [
        request('ok', 1, { status: 200, path: '/rest/v1/books', method: 'GET' }),
        request('down', 2, { status: 503, path: '/rest/v1/books', method: 'POST' }),
        event('pg', 3, { rest: { 'parsed.sql_state_code': '42P01' } }),
      ]),
    )

    test('are answered with rows of the source, in both dialects', async () => {
      expect(
        await ask(`select id, timestamp, m.request.method, response.status_code from edge_logs
            cross join unnest(metadata) as m cross join unnest(m.response) as response order by timestamp desc`),
      ).toEqual({
        columns: ['id', 'timestamp', 'method', 'status_code'],
        rows: [
          ['down', noon + 2_000_000, 'POST', 503],
          ['ok', noon + 1_000_000, 'GET', 200],
        ],
        cut: false,
      })
      const { rows } = await ask(
        `select source, log_attributes['parsed.sql_state_code'] as code, count(*) as n from logs group by source, code order by source`,
        { dialect: 'columns' },
      )
      expect(rows).toEqual([
        ['edge_logs', null, 2],
        ['postgres_logs', '42P01', 1],
      ])
    })

    test('see their range and nothing else', async () => {
      const { rows } = await ask('select id from edge_logs', span(2, 60))
      expect(rows).toEqual([['down']])
      const kept = { since: noon + 2_000_000, auditSince: noon }
      const answer = await store().query(
        ref,
        { sql: 'select id from edge_logs', dialect: 'analytics', ...span(0, 60) },
        kept,
      )
      expect(answer.rows).toEqual([['down']])
    })

    test('see no other project, and a project without logs has no row', async () => {
      expect(await ask('select count(*) as n from edge_logs', {}, logsRef())).toEqual({
        columns: ['n'],
        rows: [[0]],
        cut: false,
      })
    })

    test('have metadata as an object, and at most as many rows as fit', async () => {
      const { rows } = await ask(`select metadata from edge_logs where id = 'ok'`)
      expect(rows).toMatchObject([[[{ request: [{ method: 'GET' }] }]]])
      const wide = await ask(
        'select a.id from logs a cross join logs b cross join logs c cross join logs d cross join logs e cross join logs f cross join logs g',
        { dialect: 'columns' },
      )
      expect(wide.rows).toHaveLength(1000)
      expect(wide.cut).toBe(true)
    })

    test.each([
      ['select nothing from edge_logs', /Unknown field "nothing"/],
      ['select * from storage', /Unknown source "storage"/],
      [`select * from read_text('/etc/passwd')`, /Only unnest/],
      ['select sum(id) from edge_logs', /No function matches/],
      [`select regexp_contains(id, '(') from edge_logs`, /missing \)/],
      ['selec', /syntax error/],
      ['', /one SELECT/],
    ])('are refused with what is wrong: %s', async (sql, message) => {
      await expect(ask(sql)).rejects.toMatchObject({
        code: 'logs_query_refused',
        status: 400,
        message: expect.stringMatching(message),
      })
    })
  })
}
