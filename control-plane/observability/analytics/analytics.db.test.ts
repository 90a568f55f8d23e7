import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { UsageBucket } from '#contract/billing/usage-metrics'
import { silentLog } from '#kit/log'
import {
  internalToken,
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { insertProject, ownRef } from '../../testing/victim.ts'

/** Stands where the data plane would: answers by the last part of the address, and keeps what it is asked. */
let server: Server
let answers: Record<string, unknown>
let asked: { url: string; body: Record<string, unknown> }[]
let plane: TestControlPlane
let ada: Person
let stranger: Person
const functionId = randomUUID()
const now = () => new Date('2026-11-27T12:00:30Z')
const bases = [`/v1/projects/${ownRef}`, `/platform/projects/${ownRef}`]
const path = (name: string, base = bases[0]) => `${base}/analytics/endpoints/${name}`
const stats = (interval = '1hr', id: string = functionId) =>
  `interval=${interval}&function_id=${id}`

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((sent) => {
      const url = request.url ?? ''
      asked.push({ url, body: JSON.parse(sent) as Record<string, unknown> })
      const answer = answers[url.slice(url.lastIndexOf('/') + 1)]
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer ?? {}))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  plane = await startControlPlane(silentLog, `http://127.0.0.1:${port}`, { now })
  ada = await newcomer(plane, 'ada')
  stranger = await newcomer(plane, 'stranger')
  await insertProject(plane, (await organizationOf(ada, 'Mine')).id, ownRef)
  await sql`insert into platform.functions (id, project_id, slug, name)
    select ${functionId}, id, 'hello', 'Hello' from platform.projects where ref = ${ownRef}`.execute(
    plane.db,
  )
})
afterAll(async () => {
  server.close()
  await plane.end()
})
beforeEach(async () => {
  asked = []
  answers = {}
  await sql`truncate platform.usage_minutes`.execute(plane.db)
})

/** Reports as data planes send them, by the tests' own clock. */
async function report(...buckets: (Pick<UsageBucket, 'metric' | 'value'> & { at: string })[]) {
  const answer = await plane.app.inject({
    method: 'POST',
    url: '/internal/usage',
    headers: { authorization: `Bearer ${internalToken}` },
    payload: {
      buckets: buckets.map(({ at, ...bucket }) => ({
        ...bucket,
        start: randomUUID(),
        ref: ownRef,
        minute: Math.floor(Date.parse(at) / 60_000),
      })),
      sightings: [],
    },
  })
  expect(answer.json()).toMatchObject({ refused: 0 })
}
type Rows = { timestamp: string; [figure: string]: unknown }[]
const rowsOf = async (asking: Promise<{ status: number; body: Record<string, unknown> }>) => {
  const { status, body } = await asking
  expect([status, body['error']]).toEqual([200, undefined])
  return body['result'] as Rows
}

test.each(bases)('%s: who may not, and what is no question', async (base) => {
  const names = [
    'usage.api-counts',
    'usage.api-requests-count',
    `functions.combined-stats?${stats()}`,
    ...(base.startsWith('/v1')
      ? []
      : ['inv-stats', 'req-stats', 'resource-usage'].map((one) => `functions.${one}?${stats()}`)),
  ]
  for (const name of names) {
    expect((await stranger.call('GET', path(name, base))).status).toBe(404)
    const nobody = await plane.app.inject({ method: 'GET', url: path(name, base) })
    expect(nobody.statusCode).toBe(401)
  }
  for (const bad of [
    'usage.api-counts?interval=1min',
    'usage.api-counts?interval=',
    'functions.combined-stats',
    'functions.combined-stats?interval=1hr',
    `functions.combined-stats?${stats('3day')}`,
    `functions.combined-stats?${stats('1hr', "x' or 1=1 --")}`,
  ]) {
    const refused = await ada.call('GET', path(bad, base))
    expect([bad, refused.status, refused.body['code']]).toEqual([bad, 400, 'invalid_input'])
  }
  const unknown = await ada.call(
    'GET',
    path(`functions.combined-stats?${stats('1hr', randomUUID())}`, base),
  )
  expect([unknown.status, unknown.body['code']]).toEqual([404, 'function_not_found'])
  expect(asked).toEqual([])
})

test('requests by service: each bar of the interval, the last one with the minute that is now', async () => {
  await report(
    { at: '2026-11-27T12:00:00Z', metric: 'requests_rest', value: 3 },
    // Another process, and another protocol of the data API.
    { at: '2026-11-27T12:00:00Z', metric: 'requests_rest', value: 4 },
    { at: '2026-11-27T12:00:00Z', metric: 'requests_graphql', value: 1 },
    { at: '2026-11-27T12:00:00Z', metric: 'egress_rest', value: 1000 },
    { at: '2026-11-27T11:46:00Z', metric: 'requests_auth', value: 2 },
    { at: '2026-11-27T11:45:00Z', metric: 'requests_auth', value: 50 },
    { at: '2026-11-26T13:10:00Z', metric: 'requests_storage', value: 6 },
    { at: '2026-11-21T00:00:00Z', metric: 'requests_realtime', value: 7 },
  )
  const counts = async (interval: string, base?: string) =>
    rowsOf(ada.call('GET', path(`usage.api-counts?interval=${interval}`, base)))
  const zero = {
    total_auth_requests: 0,
    total_realtime_requests: 0,
    total_rest_requests: 0,
    total_storage_requests: 0,
  }
  const quarter = await counts('15min')
  expect(quarter).toHaveLength(15)
  expect(quarter[0]).toEqual({
    ...zero,
    timestamp: '2026-11-27T11:46:00.000Z',
    total_auth_requests: 2,
  })
  expect(quarter[7]).toEqual({ ...zero, timestamp: '2026-11-27T11:53:00.000Z' })
  expect(quarter[14]).toEqual({
    ...zero,
    timestamp: '2026-11-27T12:00:00.000Z',
    total_rest_requests: 8,
  })
  const day = await counts('1day', bases[1])
  expect(day).toHaveLength(24)
  expect(day[0]).toEqual({
    ...zero,
    timestamp: '2026-11-26T13:00:00.000Z',
    total_storage_requests: 6,
  })
  expect(day[22]).toMatchObject({ total_auth_requests: 52 })
  expect(await rowsOf(ada.call('GET', path('usage.api-counts')))).toEqual(day)
  const week = await counts('7day')
  expect(week).toHaveLength(7)
  expect(week[0]).toEqual({
    ...zero,
    timestamp: '2026-11-21T00:00:00.000Z',
    total_realtime_requests: 7,
  })
  expect((await counts('30min')).length).toBe(30)
  expect((await counts('1hr')).length).toBe(60)
  expect((await counts('3hr')).length).toBe(180)
  expect((await counts('3day')).length).toBe(72)
  for (const base of bases)
    expect(await rowsOf(ada.call('GET', path('usage.api-requests-count', base)))).toEqual([
      // All of the last 24 hours: 7 + 1 + 2 + 50 + 6, and not the week before.
      { count: 66 },
    ])
})

test('calls of a function: what they answered and took, what it wrote, what its workers used', async () => {
  answers = {
    query: {
      columns: ['at', 'requests', 'success', 'redirect', 'client', 'server', 'average', 'longest'],
      rows: [[Date.parse('2026-11-27T11:58:00Z') * 1000, 5, 2, 1, 1, 1, 20.5, 60]],
      cut: false,
    },
    histogram: {
      step: 60_000,
      bars: [{ at: Date.parse('2026-11-27T11:58:00Z'), info: 3, warning: 2, error: 1 }],
    },
  }
  await plane.app.inject({
    method: 'POST',
    url: '/internal/request-counts',
    headers: { authorization: `Bearer ${internalToken}` },
    payload: {
      counts: [
        {
          ref: ownRef,
          service: `function:${functionId}`,
          minute: Date.parse('2026-11-27T11:58:00Z'),
          requests: 5,
          errors: 1,
          keyed: false,
          histogram: Array.from({ length: 13 }, (_, at) => (at === 3 ? 5 : 0)),
          cpuMs: 40,
          memoryMb: 64,
        },
      ],
    },
  })
  const all = {
    timestamp: '2026-11-27T11:58:00.000Z',
    requests_count: 5,
    success_count: 2,
    redirect_count: 1,
    client_err_count: 1,
    server_err_count: 1,
    avg_execution_time: 20.5,
    max_execution_time: 60,
    log_count: 6,
    log_info_count: 3,
    log_warn_count: 2,
    log_error_count: 1,
    avg_cpu_time_used: 8,
    avg_memory_used: 64,
  }
  for (const base of bases) {
    const combined = await rowsOf(
      ada.call('GET', path(`functions.combined-stats?${stats()}`, base)),
    )
    expect(combined).toHaveLength(60)
    expect(combined[57]).toEqual(all)
    expect(combined[58]).toMatchObject({
      requests_count: 0,
      avg_execution_time: null,
      log_count: 0,
    })
  }
  const question = { from: '2026-11-27T11:01:00.000Z', to: '2026-11-27T12:01:00.000Z' }
  expect(asked.slice(0, 2)).toMatchObject([
    {
      url: `/internal/logs/${ownRef}/query`,
      body: { ...question, dialect: 'analytics', sql: expect.stringContaining(functionId) },
    },
    {
      url: `/internal/logs/${ownRef}/histogram`,
      body: { ...question, bars: 60, sources: ['function_logs'] },
    },
  ])
  const part = async (name: string) =>
    (await rowsOf(ada.call('GET', path(`functions.${name}?${stats()}`, bases[1]))))[57]
  const { timestamp } = all
  expect(await part('inv-stats')).toEqual({
    timestamp,
    requests_count: 5,
    log_count: 6,
    log_info_count: 3,
    log_warn_count: 2,
    log_error_count: 1,
  })
  expect(await part('resource-usage')).toEqual({
    timestamp,
    avg_cpu_time_used: 8,
    avg_memory_used: 64,
  })
  expect(Object.keys((await part('req-stats')) ?? {})).toEqual([
    'timestamp',
    'requests_count',
    'success_count',
    'redirect_count',
    'client_err_count',
    'server_err_count',
    'avg_execution_time',
    'max_execution_time',
  ])
})
