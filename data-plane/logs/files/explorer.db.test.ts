import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logFunctions } from '#contract/observability/log-functions'
import { allLogsSql, firstLogSql, logSql } from '#contract/observability/log-sql'
import { logTemplates } from '#contract/observability/log-templates'
import type { LogFilter, PageQuestion } from '#contract/observability/logs'
import { logSources, type LogSource } from '#contract/observability/log-sources'
import { logsRef } from '../../testing/logs/conformance.ts'
import { event, noon, page, request } from '../../testing/logs/events.ts'
import { openStore } from '../../testing/logs/store.ts'
import { functionNames } from '../dialect/functions.ts'

const ref = logsRef()
const kept = { since: 0, auditSince: 0 }
let opened: Awaited<ReturnType<typeof openStore>>

const postgres = (id: string, seconds: number, severity: string, tag: string, user: string) =>
  event(id, seconds, {
    message: `${tag} of ${user}`,
    columns: { severity },
    rest: {
      'parsed.command_tag': tag,
      'parsed.user_name': user,
      'parsed.sql_state_code': severity === 'ERROR' ? '42P01' : '00000',
    },
  })

beforeAll(async () => {
  opened = await openStore()
  opened.store.append(ref, [
    request('books', 1, { path: '/rest/v1/books', search: '?q=Ada', duration: 20, address: '::1' }),
    request('slow', 2, { path: '/rest/v1/books', method: 'POST', status: 201, duration: 1500 }),
    request('down', 3, { path: '/auth/v1/user', status: 503, address: '::1' }),
    request(
      'file',
      4,
      {
        path: "/storage/v1/object/public/a's/b.png",
        response_bytes: 2000,
        cache_status: 'MISS',
      },
      { rest: { 'request.cf.country': 'CH' } },
    ),
    postgres('bad', 5, 'ERROR', 'SELECT', 'anon'),
    postgres('worse', 6, 'FATAL', 'authentication', 'ada'),
    postgres('done', 7, 'LOG', 'COMMIT', 'ada'),
    event('signed-in', 8, {
      source: 'auth_logs',
      message: 'request completed',
      columns: { method: 'POST', path: '/token', status: 400 },
      rest: { error_code: 'invalid_credentials' },
    }),
  ])
})
afterAll(() => opened.close())

const span = { from: page(0, 60).from, to: page(0, 60).to }
const ask = (sql: string, dialect: 'analytics' | 'columns' = 'analytics') =>
  opened.store.query(ref, { sql, dialect, ...span }, kept)
const at = (seconds: number) => noon + seconds * 1e6

describe('every template runs', () => {
  const answers: Record<string, unknown[][]> = {
    'recent-errors': [
      [at(6), 'FATAL', 'ada', 'authentication of ada'],
      [at(5), 'ERROR', 'anon', 'SELECT of anon'],
    ],
    commits: [[at(7), 'ada', null, 'COMMIT of ada']],
    'commits-by-user': [['ada', 1]],
    'metadata-ip': [['::1', 2]],
    'requests-by-country': [
      [null, 3],
      ['CH', 1],
    ],
    'slow-response-time': [[at(2), 'POST', '/rest/v1/books', 201, 1500]],
    '500-request-codes': [[at(3), 503, 'GET', '/auth/v1/user', null]],
    'rest-requests': [
      [at(2), 'POST', '/rest/v1/books', null, 201],
      [at(1), 'GET', '/rest/v1/books', '?q=Ada', 200],
    ],
    'auth-endpoint-events': [
      [at(8), 'POST', '/token', 400, 'invalid_credentials', 'request completed'],
    ],
    'storage-object-requests': [[at(0), 'GET', 1]],
    'storage-egress-requests': [["/storage/v1/object/public/a's/b.png", 1, 2000]],
    'storage-top-cache-misses': [["/storage/v1/object/public/a's/b.png", 1]],
  }
  /** Rows that are as many stand in no order. */
  const unordered: Record<string, unknown[][]> = {
    'top-paths': [
      ['/rest/v1/books', 2, 760],
      ['/auth/v1/user', 1, null],
      ["/storage/v1/object/public/a's/b.png", 1, null],
    ],
    errors: [
      ['00000', 'authentication of ada', 1, at(6)],
      ['42P01', 'SELECT of anon', 1, at(5)],
    ],
    'error-count-by-user': [
      ['anon', 1],
      ['ada', 1],
    ],
  }
  test.each(logTemplates)('$name', async ({ id, sql }) => {
    const { rows } = await ask(sql)
    const loose = unordered[id]
    if (!loose) return expect(rows).toEqual(answers[id])
    expect(rows).toHaveLength(loose.length)
    return expect(rows).toEqual(expect.arrayContaining(loose))
  })

  test('and there are fifteen, each by a name of its own', () => {
    expect(new Set(logTemplates.map(({ id }) => id)).size).toBe(15)
  })
})

test('what a new query begins with is answered in either dialect', async () => {
  expect((await ask(firstLogSql.analytics)).rows).toHaveLength(4)
  expect((await ask(firstLogSql.columns, 'columns')).rows).toHaveLength(8)
})

test('functions that are offered are known', () => {
  const known = new Set(functionNames)
  const all = [...logFunctions.analytics, ...logFunctions.columns]
  expect(all.filter((name) => !known.has(name.toLowerCase()))).toEqual([])
})

describe('a question of a page in SQL has the same entries', () => {
  const is = (field: string, op: LogFilter['op'], ...values: LogFilter['values']): LogFilter => ({
    field,
    op,
    values,
  })
  const questions: [LogSource, Partial<PageQuestion>, number][] = [
    ['edge_logs', {}, 4],
    ['edge_logs', { filters: [is('status', 'at_least', 400), is('status', 'at_most', 599)] }, 1],
    ['edge_logs', { filters: [is('method', 'is', 'POST')] }, 1],
    ['edge_logs', { filters: [is('method', 'is_not', 'POST', 'PUT')] }, 3],
    ['edge_logs', { filters: [is('status', 'is', 201, 503)] }, 2],
    ['edge_logs', { filters: [is('path', 'contains', "A'S/", 'auth')] }, 2],
    ['edge_logs', { filters: [is('request.cf.country', 'is', 'CH')] }, 1],
    ['edge_logs', { filters: [is('request.cf.country', 'is_not', 'CH')] }, 3],
    ['edge_logs', { filters: [is('level', 'is', 'info')] }, 4],
    ['edge_logs', { search: 'Q=ada' }, 1],
    ['edge_logs', { search: String.raw`/v\d/(books|user)`, is_pattern: true }, 3],
    ['edge_logs', { search: String.raw`it\'s "no" \ path` }, 0],
    ['postgres_logs', { filters: [is('severity', 'is', 'ERROR', 'FATAL')] }, 2],
    ['postgres_logs', { filters: [is('parsed.user_name', 'is', 'ada')] }, 2],
    ['auth_logs', { search: 'TOKEN' }, 1],
    ['auth_logs', { search: "to' or true --" }, 0],
  ]
  test.each(questions)('%s %o', async (source, more, count) => {
    const question = page(0, 60, { sources: [source], ...more })
    const { events } = await opened.store.page(ref, question, kept)
    const { columns, rows } = await ask(logSql(source, question))
    const timestamp = columns.indexOf('timestamp')
    expect(rows.map((row) => row[timestamp])).toEqual(events.map((each) => each.timestamp))
    expect(rows).toHaveLength(count)
  })

  const ofAll: [Partial<PageQuestion>, number][] = [
    [{}, 8],
    [{ filters: [is('source', 'is', 'edge_logs', 'auth_logs')] }, 5],
    [{ filters: [is('status', 'at_least', 400)] }, 2],
    [{ filters: [is('host', 'is', 'example.com')] }, 4],
    [{ filters: [is('host', 'is_not', 'example.com')] }, 4],
    [{ filters: [is('path', 'contains', "A'S/", 'auth')] }, 2],
    [{ filters: [is('parsed.user_name', 'is', 'ada')] }, 2],
    [{ search: 'ADA' }, 3],
    [{ search: '/token' }, 1],
    [{ search: String.raw`it\'s "no" \ path` }, 0],
    [{ search: "to' or true --" }, 0],
    [{ search: String.raw`^/token$`, is_pattern: true }, 1],
  ]
  test.each(ofAll)('of all sources %o', async (more, count) => {
    const question = page(0, 60, { sources: [...logSources], ...more })
    const { events } = await opened.store.page(ref, question, kept)
    const { columns, rows } = await ask(allLogsSql(question), 'columns')
    const timestamp = columns.indexOf('timestamp')
    expect(rows.map((row) => Date.parse(String(row[timestamp])) * 1000)).toEqual(
      events.map((each) => each.timestamp),
    )
    expect(rows).toHaveLength(count)
  })
})
