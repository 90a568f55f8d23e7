import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ReportAnswer } from '#contract/observability/reports'
import { silentLog } from '#kit/log'
import {
  internalToken,
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { foreignRef, insertProject, ownRef } from '../../testing/victim.ts'

/** Stands where the data plane would: it answers questions about logs, and of databases. */
let server: Server
let plane: TestControlPlane
let ada: Person
let stranger: Person
let organization: string
let rows: unknown[][]
let asked: { url: string; body: Record<string, unknown> }[]

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const noon = Date.parse('2026-11-27T12:00:00Z')
let clock = noon
const iso = (ms: number) => new Date(ms).toISOString()

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((sent) => {
      asked.push({ url: request.url ?? '', body: sent === '' ? {} : JSON.parse(sent) })
      const isSql = request.url?.includes('/pg-meta/')
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify(
          isSql
            ? [{ c1: 'public.books', c2: 8192, c3: 0, c4: 3 }]
            : { columns: [], rows, cut: false },
        ),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  plane = await startControlPlane(silentLog, `http://127.0.0.1:${port}`, {
    now: () => new Date(clock),
  })
  ada = await newcomer(plane, 'ada')
  stranger = await newcomer(plane, 'stranger')
  organization = (await organizationOf(ada, 'Mine')).id
  await insertProject(plane, organization, ownRef)
})
afterAll(async () => {
  server.close()
  await plane.end()
})
beforeEach(async () => {
  clock = noon
  asked = []
  rows = []
  await onTier('tier_pro')
})

const onTier = (tier: string) =>
  sql`update platform.organizations set tier = ${tier} where id = ${organization}`.execute(plane.db)
type More = { from?: string; to?: string; interval?: string; services?: string }
const chart = (who: Person, name: string, more: More = {}, ref = ownRef) => {
  const range = { from: iso(noon - hour), to: iso(noon), ...more }
  return who.call(
    'GET',
    `/platform/projects/${ref}/reports/charts/${name}?${new URLSearchParams(range)}`,
  )
}
async function answer(name: string, more: More = {}): Promise<ReportAnswer> {
  const { status, body } = await chart(ada, name, more)
  expect(body).not.toHaveProperty('message')
  expect(status).toBe(200)
  // The contract has checked it on its way out.
  return body as ReportAnswer
}
const valuesOf = ({ series }: ReportAnswer) =>
  Object.fromEntries(series.map(({ name, values }) => [name, values]))
const sumsOf = ({ series }: ReportAnswer) =>
  Object.fromEntries(series.map(({ name, summary }) => [name, summary]))
const refusal = async (name: string, more: More = {}) => {
  const { status, body } = await chart(ada, name, more)
  return [status, body['code'], body['message']]
}

describe('refusals', () => {
  test('who is not signed in, and who does not belong to the project', async () => {
    const url = `/platform/projects/${ownRef}/reports/charts/api_requests?from=${iso(noon - hour)}&to=${iso(noon)}`
    expect((await plane.app.inject({ url })).statusCode).toBe(401)
    expect((await chart(stranger, 'api_requests')).status).toBe(404)
    expect((await chart(ada, 'api_requests', {}, foreignRef)).status).toBe(404)
    expect(asked).toEqual([])
  })

  test('what there is not names what is nearest', async () => {
    expect(await refusal('api_reqests')).toEqual([
      404,
      'not_found',
      'There is no chart "api_reqests". Did you mean "api_requests"?',
    ])
    expect((await refusal('__proto__')).slice(0, 2)).toEqual([404, 'not_found'])
    expect((await refusal('api_errors', { services: 'rest,storag' }))[2]).toBe(
      'services: There is no service "storag". Did you mean "storage"?',
    )
    expect((await refusal('rest_errors', { services: 'auth' }))[2]).toMatch(/cannot be narrowed/)
  })

  test.each<[string, More, RegExp]>([
    ['no time', { from: 'yesterday' }, /from/],
    ['a range that ends before it begins', { from: iso(noon), to: iso(noon - hour) }, /^to: /],
    ['a range that has not come', { from: iso(noon + hour), to: iso(noon + day) }, /^to: /],
    ['an interval that there is not', { interval: '2h' }, /interval/],
    ['too many points', { from: iso(noon - 6 * day), interval: '1m' }, /^interval: At least 15m/],
  ])('%s', async (_, more, words) => {
    const [status, , message] = await refusal('api_requests', more)
    expect([status, message]).toEqual([400, expect.stringMatching(words)])
  })

  test('a range beyond the plan says which plan has it, whatever the chart', async () => {
    await onTier('tier_free')
    for (const name of ['api_requests', 'api_speed', 'database_cpu', 'database_largest_tables'])
      expect(await refusal(name, { from: iso(noon - 3 * day) })).toEqual([
        403,
        'logs_not_kept',
        'The Free plan keeps these logs for 1 day. The Pro plan keeps them for 7 days',
      ])
    expect((await chart(ada, 'api_requests', { from: iso(noon - day) })).status).toBe(200)
  })
})

describe('what the services count', () => {
  const start = '018f0000-0000-7000-8000-000000000001'
  const report = async (buckets: object[]): Promise<unknown> => {
    const response = await plane.app.inject({
      method: 'POST',
      url: '/internal/usage',
      headers: { authorization: `Bearer ${internalToken}` },
      payload: { buckets, sightings: [] },
    })
    return response.json()
  }
  const bucket = (metric: string, at: number, value: number, from = start) => ({
    start: from,
    ref: ownRef,
    metric,
    minute: Math.floor(at / minute),
    value,
  })

  beforeAll(async () => {
    clock = noon
    const other = '018f0000-0000-7000-8000-000000000002'
    const answered = await report([
      bucket('requests_rest', noon - 30 * minute, 5),
      bucket('requests_rest', noon - 30 * minute, 2, other),
      bucket('requests_auth', noon - 30 * minute, 3),
      bucket('requests_rest', noon - 5 * hour, 40),
      bucket('egress_rest', noon - 10 * minute, 12_345),
      bucket('realtime_connections', noon - 20 * minute, 4),
      bucket('realtime_connections', noon - 20 * minute, 3, other),
      bucket('realtime_connections', noon - 19 * minute, 4),
      bucket('realtime_connections', noon - 19 * minute, 3, other),
    ])
    expect(answered).toEqual({ kept: 9, refused: 0 })
    await plane.usageRound()
  })

  test('is drawn minute by minute, with nothing where nothing was', async () => {
    const found = await answer('api_requests')
    expect(found).toMatchObject({ interval: 60, from: iso(noon - hour), absent: null, table: null })
    expect(found.at).toHaveLength(60)
    const { REST, Auth, Storage } = valuesOf(found)
    expect(REST?.[30]).toBe(7)
    expect(Auth?.[30]).toBe(3)
    expect(REST?.filter((value) => value === 0)).toHaveLength(59)
    expect(Storage).toEqual(Array.from({ length: 60 }, () => 0))
    expect(sumsOf(found)).toMatchObject({ REST: 7, Auth: 3, GraphQL: 0 })
  })

  test('comes to the same by the hour', async () => {
    const found = await answer('api_requests', { from: iso(noon - 6 * hour), interval: '1h' })
    expect(valuesOf(found)['REST']).toEqual([0, 40, 0, 0, 0, 7])
    const fine = await answer('api_requests', { from: iso(noon - 6 * hour), interval: '5m' })
    expect(sumsOf(fine)['REST']).toBe(47)
  })

  test('is narrowed to services', async () => {
    expect(sumsOf(await answer('api_requests', { services: 'auth,storage' }))).toEqual({
      Auth: 3,
      Storage: 0,
    })
    expect(sumsOf(await answer('api_traffic', { services: 'rest' }))).toEqual({ REST: 12_345 })
  })

  test('peaks are added over processes and not over time', async () => {
    const found = await answer('realtime_connections', { interval: '15m' })
    expect(Math.max(...(valuesOf(found)['Connected'] ?? []).map(Number))).toBe(7)
    expect(sumsOf(found)).toEqual({ Connected: 7 })
  })

  test('what is older than minutes are kept is told by the hour, whatever was asked', async () => {
    await onTier('tier_team')
    clock = noon + 8 * day
    const found = await answer('api_requests', { interval: '1m' })
    expect(found.interval).toBe(3600)
    expect(valuesOf(found)['REST']).toEqual([7])
  })
})

describe('what logs are asked', () => {
  test('becomes a series for each column, within the range and what the plan keeps', async () => {
    rows = [
      [1, 4, 0],
      [3, null, 2],
      [999, 9, 9],
    ]
    const found = await answer('api_errors', { from: iso(noon - 5 * minute), services: 'rest' })
    expect(valuesOf(found)).toEqual({
      '4xx client errors': [0, 4, 0, 0, 0],
      '5xx server errors': [0, 0, 0, 2, 0],
    })
    const [question] = asked
    expect(question?.url).toBe(`/internal/logs/${ownRef}/query`)
    expect(question?.body).toMatchObject({
      dialect: 'columns',
      from: iso(noon - 5 * minute),
      to: iso(noon),
      kept: { since: (noon - 7 * day) * 1000 },
    })
    expect(question?.body['sql']).toContain("startsWith(path, '/rest/v1')")
  })

  test('has the percentiles of the whole time beside those of its points', async () => {
    rows = [[0, 10, 20, 30]]
    const found = await answer('rest_speed', { from: iso(noon - 2 * minute) })
    expect(valuesOf(found)).toEqual({ p50: [10, null], p95: [20, null], p99: [30, null] })
    expect(sumsOf(found)).toEqual({ p50: 10, p95: 20, p99: 30 })
    expect(asked).toHaveLength(2)
  })

  test('has a series for each name, and what is beyond ten of them together', async () => {
    rows = Array.from({ length: 12 }, (_, at) => [0, `code_${at}`, 20 - at])
    const found = await answer('auth_errors', { from: iso(noon - minute) })
    expect(found.series).toHaveLength(11)
    expect(found.series.at(-1)).toEqual({ name: 'Others', values: [19], summary: 19 })
  })

  test('can be a table', async () => {
    rows = [['GET', '/rest/v1/<script>', 3, 1, { no: 'value' }]]
    const { table, series } = await answer('api_top_paths')
    expect(series).toEqual([])
    expect(table?.rows).toEqual([['GET', '/rest/v1/<script>', 3, 1, null]])
  })
})

describe('what a database is asked', () => {
  test('a project that is paused is left asleep, and says so', async () => {
    const { absent, table } = await answer('database_largest_tables')
    expect(absent).toMatch(/not running/)
    expect(table).toBeNull()
    expect(asked).toEqual([])
  })

  test('one that runs is asked by the login that only reads', async () => {
    await sql`update platform.projects set status = 'ACTIVE_HEALTHY' where ref = ${ownRef}`.execute(
      plane.db,
    )
    const { table } = await answer('database_largest_tables')
    // So that nothing looks for a database that was never there.
    await sql`update platform.projects set status = 'INACTIVE' where ref = ${ownRef}`.execute(
      plane.db,
    )
    expect(table?.rows).toEqual([['public.books', 8192, 0, 3]])
    expect(asked[0]?.url).toContain('/query')
  })
})

describe('what a scrape is told', () => {
  const metrics = async (ref = ownRef, token = internalToken) => {
    const response = await plane.app.inject({
      url: `/internal/metrics/${ref}`,
      headers: { authorization: `Bearer ${token}` },
    })
    return { status: response.statusCode, body: response.json() as Record<string, unknown> }
  }

  test('is for our own programs, and of projects that there are', async () => {
    expect((await metrics(ownRef, ada.token)).status).toBe(401)
    expect((await metrics('z'.repeat(20))).status).toBe(404)
  })

  test('a plan without it says which plan has it, and no figures', async () => {
    await onTier('tier_free')
    expect((await metrics()).body).toEqual({
      denial: 'The Free plan has no metrics endpoint. The Pro plan has one',
      load: null,
      memory_limit: null,
      disk: null,
      restarts: null,
      totals: [],
    })
  })

  test('has sums of all times, and nothing of a server that does not run', async () => {
    const { body } = await metrics()
    expect(body).toMatchObject({ denial: null, load: null, disk: null })
    expect(body['memory_limit']).toBe(512 * 1024 ** 2)
    expect(body['totals']).toEqual(
      expect.arrayContaining([
        { metric: 'requests_rest', value: 47 },
        { metric: 'egress_rest', value: 12_345 },
      ]),
    )
  })
})
