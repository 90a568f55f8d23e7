import { afterAll, beforeAll, expect, test } from 'vitest'
import { meteredServices, type MeteredService } from '#contract/billing/usage-metrics'
import { logQuestions, type LogQuestion } from '#contract/observability/report-charts'
import { logAsks } from '#control-plane/observability/reports/log-questions'
import { logsRef } from '#data-plane/testing/logs/conformance'
import { event, noon, page, request } from '#data-plane/testing/logs/events'
import { openStore } from '#data-plane/testing/logs/store'

/** What charts ask of logs, by the engine that answers it: minutes from noon on. */
const ref = logsRef()
let opened: Awaited<ReturnType<typeof openStore>>

const call = (
  id: string,
  seconds: number,
  path: string,
  status: number,
  ms: number,
  version: string,
) =>
  event(id, seconds, {
    source: 'function_edge_logs',
    columns: { path, status, duration: ms, method: 'POST', function_id: 'f' },
    rest: { version },
  })
const auth = (id: string, seconds: number, code: string) =>
  event(id, seconds, { source: 'auth_logs', columns: { status: 400 }, rest: { error_code: code } })
const provider = (id: string, seconds: number, name: string) =>
  event(id, seconds, { source: 'auth_logs', rest: { 'auth_event.traits.provider': name } })
const realtime = (id: string, seconds: number, kind: string) =>
  event(id, seconds, { source: 'realtime_logs', columns: { severity: kind } })
const signIn = (id: string, seconds: number, path: string, search?: string, status = 200) =>
  request(id, seconds, {
    path: `/auth/v1/${path}`,
    method: 'POST',
    status,
    duration: 1000,
    ...(search !== undefined && { search }),
  })

beforeAll(async () => {
  opened = await openStore()
  opened.store.append(ref, [
    ...Array.from({ length: 100 }, (_, at) =>
      request(`book${at}`, 1 + at / 10, { path: '/rest/v1/books', duration: at + 1 }),
    ),
    request('bad', 65, { path: '/rest/v1/nothing', status: 404, duration: 7 }),
    request('worse', 66, { path: '/rest/v1/nothing', status: 500, duration: 9 }),
    // Its path begins like that of the data API, and is none of it.
    request('else', 67, { path: '/graphql/v1', status: 200, duration: 3000 }),
    request('hit', 70, { path: '/storage/v1/object/public/a/b', cache_status: 'HIT', duration: 1 }),
    ...[71, 72].map((second) =>
      request(`miss${second}`, second, {
        path: "/storage/v1/object/public/a/it's",
        cache_status: 'MISS',
        response_bytes: 500,
        duration: 2,
      }),
    ),
    signIn('in1', 10, 'token', '?grant_type=password'),
    signIn('in2', 70, 'token', '?grant_type=password'),
    signIn('in3', 71, 'token', '?grant_type=pkce'),
    signIn('again', 72, 'token', '?grant_type=refresh_token'),
    signIn('refused', 73, 'token', '?grant_type=password', 400),
    signIn('link', 74, 'verify'),
    provider('p1', 8, 'google'),
    provider('p2', 9, 'email'),
    provider('p3', 70, 'google'),
    provider('p4', 71, 'google'),
    auth('a1', 5, 'invalid_credentials'),
    auth('a2', 6, 'invalid_credentials'),
    auth('a3', 90, 'over_request_rate_limit'),
    call('c1', 20, '/hello', 200, 10, '1'),
    call('c2', 80, '/hello', 200, 30, '2'),
    call('c3', 81, '/hello', 500, 50, '2'),
    realtime('r1', 5, 'connected'),
    realtime('r2', 65, 'refused'),
  ])
})
afterAll(() => opened.close())

/** Numbers to a hundredth. */
async function ask(
  question: LogQuestion,
  services: readonly MeteredService[] = meteredServices,
  part: 'sql' | 'whole' = 'sql',
): Promise<unknown[][]> {
  const made = logAsks[question]({ from: noon, step: 60_000_000, services })
  const sql = part === 'whole' && made.shape === 'wide' ? (made.whole ?? '') : made.sql
  const { from, to } = page(0, 180)
  const { rows } = await opened.store.query(
    ref,
    { sql, dialect: 'columns', from, to },
    { since: 0, auditSince: 0 },
  )
  const rounded = rows.map((row) =>
    row.map((value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value)),
  )
  if (made.shape === 'table') return rounded
  return rounded.toSorted(
    (a, b) => Number(a[0]) - Number(b[0]) || String(a[1]).localeCompare(String(b[1])),
  )
}

const books = ['GET', '/rest/v1/books', 100, 0, 95.1]
const nothing = ['GET', '/rest/v1/nothing', 2, 2, 8.9]
const token = ['POST', '/auth/v1/token', 5, 1, 1000]
const verify = ['POST', '/auth/v1/verify', 1, 0, 1000]
const graphql = ['GET', '/graphql/v1', 1, 0, 3000]
const missed = ['GET', "/storage/v1/object/public/a/it's", 2, 0, 2]
const hit = ['GET', '/storage/v1/object/public/a/b', 1, 0, 1]

const answers: Record<LogQuestion, unknown[][]> = {
  statuses: [[1, 2, 1]],
  durations: [
    [0, 51, 96, 100],
    [1, 1000, 2000, 2800],
  ],
  top_paths: [books, token, nothing, missed, graphql, hit, verify],
  slow_paths: [graphql, token, verify, books, nothing, missed, hit],
  failing_paths: [nothing, token],
  sign_ins: [
    [0, 'password', 1],
    [1, 'code', 1],
    [1, 'link or one-time password', 1],
    [1, 'password', 1],
  ],
  sign_in_providers: [
    [0, 'email', 1],
    [0, 'google', 1],
    [1, 'google', 2],
  ],
  auth_errors: [
    [0, 'invalid_credentials', 2],
    [1, 'over_request_rate_limit', 1],
  ],
  cache: [[1, 1, 2]],
  cache_misses: [["/storage/v1/object/public/a/it's", 2, 1000]],
  function_statuses: [[1, 0, 1]],
  function_durations: [
    [0, 10, 10, 10],
    [1, 40, 49, 49.8],
  ],
  function_versions: [
    ['/hello', '2', 2, 1, 49],
    ['/hello', '1', 1, 0, 10],
  ],
  realtime_events: [
    [0, 'connected', 1],
    [1, 'refused', 1],
  ],
}

test.each(logQuestions)('%s has the numbers of what happened', async (question) => {
  expect(await ask(question)).toEqual(answers[question])
})

test('of some services it has theirs alone, and of none nothing', async () => {
  expect(await ask('statuses', ['rest'])).toEqual([[1, 1, 1]])
  expect(await ask('top_paths', ['rest'])).toEqual([books, nothing])
  expect(await ask('top_paths', ['graphql', 'storage'])).toEqual([missed, graphql, hit])
  expect(await ask('top_paths', [])).toEqual([])
})

test('percentiles of the whole time are those of all requests, and no average of the points', async () => {
  expect(await ask('durations', ['rest'], 'whole')).toEqual([[0, 49.5, 94.95, 98.99]])
  expect(await ask('function_durations', [], 'whole')).toEqual([[0, 30, 48, 49.6]])
})
