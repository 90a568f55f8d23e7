import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import {
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { foreignRef, insertProject, ownRef } from '../../testing/victim.ts'

/** Stands where the data plane would, and keeps what it is asked. */
let server: Server
let plane: TestControlPlane
let ada: Person
let stranger: Person
let organization: string
let answer: { status: number; body: unknown } = { status: 200, body: [] }
/** What is answered at an address, where it is not `answer`. */
const bodies = new Map<string, unknown>()
let asked: { method: string; url: string; body: Record<string, unknown> }[] = []
const base = `/platform/projects/${ownRef}`
const hour = 3_600_000
const now = () => new Date('2026-11-27T12:00:00Z')
const ago = (ms: number) => new Date(now().getTime() - ms).toISOString()
const range = (ms: number) => ({ from: ago(ms), to: ago(0) })

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((sent) => {
      const body = sent === '' ? {} : (JSON.parse(sent) as Record<string, unknown>)
      asked.push({ method: request.method ?? '', url: request.url ?? '', body })
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(bodies.get(request.url ?? '') ?? answer.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  plane = await startControlPlane(silentLog, `http://127.0.0.1:${port}`, { now })
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
  asked = []
  answer = { status: 200, body: { events: [], lost: [] } }
  await onTier('tier_free')
})

const onTier = (tier: string) =>
  sql`update platform.organizations set tier = ${tier} where id = ${organization}`.execute(plane.db)
const createdAt = (at: string) =>
  sql`update platform.projects set inserted_at = ${at} where ref = ${ownRef}`.execute(plane.db)
const page = (who: Person, more: object = {}) =>
  who.call('POST', `${base}/logs/page`, { sources: ['edge_logs'], ...range(hour), ...more })

test('strangers find nothing, and what is no question is refused before anybody is asked', async () => {
  expect((await page(stranger)).status).toBe(404)
  expect((await stranger.call('GET', `${base}/logs`)).status).toBe(404)
  for (const bad of [
    { sources: [] },
    { sources: ['storage'] },
    { from: 'yesterday' },
    { limit: 1001 },
    { filters: [{ field: 'rest', op: 'is', values: ['x'] }] },
    { filters: [{ field: "x' or 1=1", op: 'is', values: ['x'] }] },
    { filters: [{ field: 'status', op: 'like', values: ['x'] }] },
    { cursor: { timestamp: -1, id: 'a' } },
  ])
    expect([bad, (await page(ada, bad)).status]).toEqual([bad, 400])
  expect(asked).toEqual([])
})

test('a question is passed on with what the plan keeps', async () => {
  answer.body = {
    events: [
      { id: 'a', timestamp: 1, source: 'edge_logs', level: 'info', event_message: 'm', fields: {} },
    ],
    lost: [],
  }
  const { status, body } = await page(ada, { search: 'books' })
  expect([status, body]).toEqual([200, answer.body])
  expect(asked).toMatchObject([
    {
      method: 'POST',
      url: `/internal/logs/${ownRef}/page`,
      body: {
        sources: ['edge_logs'],
        search: 'books',
        limit: 100,
        kept: {
          since: (now().getTime() - 24 * hour) * 1000,
          auditSince: (now().getTime() - hour) * 1000,
        },
      },
    },
  ])
})

test.each([
  [
    'tier_free',
    'edge_logs',
    24,
    'The Free plan keeps these logs for 1 day. The Pro plan keeps them for 7 days',
  ],
  [
    'tier_free',
    'auth_audit_logs',
    1,
    'The Free plan keeps these logs for 1 hour. The Pro plan keeps them for 7 days',
  ],
  [
    'tier_pro',
    'edge_logs',
    7 * 24,
    'The Pro plan keeps these logs for 7 days. The Team plan keeps them for 28 days',
  ],
  [
    'tier_team',
    'edge_logs',
    28 * 24,
    'The Team plan keeps these logs for 28 days. The Enterprise plan keeps them for 90 days',
  ],
  [
    'tier_enterprise',
    'edge_logs',
    90 * 24,
    'The Enterprise plan keeps these logs for 90 days, which is as long as any plan does',
  ],
])(
  '%s sees %s for %i hours, and is told which plan keeps more',
  async (tier, source, hours, message) => {
    await onTier(tier)
    const sources = [source]
    expect((await page(ada, { sources, ...range(hours * hour) })).status).toBe(200)
    const beyond = await page(ada, { sources, ...range(hours * hour + 10 * 60_000) })
    expect([beyond.status, beyond.body['code'], beyond.body['message']]).toEqual([
      403,
      'logs_not_kept',
      message,
    ])
  },
)

test('what the engine refuses is said as it is', async () => {
  answer = { status: 429, body: { code: 'logs_busy', message: 'x' } }
  expect((await page(ada)).body['code']).toBe('logs_busy')
  answer = { status: 501, body: { code: 'logs_engine_missing', message: 'x' } }
  expect((await page(ada)).body['code']).toBe('logs_engine_missing')
})

test('what there is to ask says how far back it goes', async () => {
  await createdAt(ago(48 * hour))
  answer.body = { oldest: null, engine: true }
  expect((await ada.call('GET', `${base}/logs`)).body).toEqual({
    retention_days: 1,
    kept_since: ago(24 * hour),
    engine: true,
  })
  answer.body = { oldest: (now().getTime() - 5 * hour) * 1000, engine: false }
  expect((await ada.call('GET', `${base}/logs`)).body).toMatchObject({
    kept_since: ago(5 * hour),
    engine: false,
  })
  // The day on which the project was made: there never was anything before.
  await createdAt(ago(4 * hour))
  expect((await ada.call('GET', `${base}/logs`)).body).toMatchObject({
    kept_since: ago(24 * hour),
  })
})

test('programs of the hosted service get rows by their names, and an error where they look for it', async () => {
  answer.body = { columns: ['id', 'n'], rows: [['a', 1]], cut: false }
  const query = encodeURIComponent('select id, 1 as n from edge_logs')
  const found = { result: [{ id: 'a', n: 1 }] }
  const platform = `${base}/analytics/endpoints/logs.all`
  expect((await ada.call('GET', `${platform}?sql=${query}`)).body).toEqual(found)
  expect((await ada.call('POST', platform, { sql: 'select 1' })).body).toEqual(found)
  const v1 = `/v1/projects/${ownRef}/analytics/endpoints`
  expect((await ada.call('GET', `${v1}/logs.all?sql=${query}`)).body).toEqual(found)
  expect((await ada.call('GET', `${v1}/logs?sql=${query}`)).body).toEqual(found)
  expect(asked.map(({ body }) => [body['dialect'], body['from'], body['to']])).toEqual([
    ['analytics', ago(hour), ago(0)],
    ['analytics', ago(hour), ago(0)],
    ['analytics', ago(60_000), ago(0)],
    ['columns', ago(60_000), ago(0)],
  ])
  expect((await stranger.call('GET', `${v1}/logs?sql=${query}`)).status).toBe(404)

  answer = { status: 400, body: { code: 'logs_query_refused', message: 'Unknown field "x"' } }
  const refused = await ada.call('GET', `${v1}/logs.all?sql=${query}`)
  expect([refused.status, refused.body]).toMatchObject([
    200,
    { result: [], error: { code: 400, message: 'Unknown field "x"', status: 'INVALID_ARGUMENT' } },
  ])
  await onTier('tier_pro')
  const long = `iso_timestamp_start=${ago(25 * hour)}&iso_timestamp_end=${ago(0)}`
  expect((await ada.call('GET', `${v1}/logs.all?sql=${query}&${long}`)).status).toBe(400)
  const ownQuery = { sql: 'select x', ...range(hour) }
  expect((await ada.call('POST', `${base}/logs/query`, ownQuery)).body).toMatchObject({
    code: 'logs_query_refused',
    message: 'Unknown field "x"',
  })
})

test('days that no plan keeps go, and all of what a deleted project had, however long ago that was', async () => {
  await insertProject(plane, organization, foreignRef)
  await sql`update platform.projects set status = 'REMOVED', status_since = ${ago(400 * 24 * hour)} where ref = ${foreignRef}`.execute(
    plane.db,
  )
  // One that this database does not know is nobody's to remove.
  const unknown = 'u'.repeat(20)
  bodies.set('/internal/logs', [unknown, foreignRef, ownRef])
  answer.body = { kept: 1 }
  const retention = {
    method: 'POST',
    url: '/internal/logs/retention',
    body: { projects: [{ ref: ownRef, since: (now().getTime() - 24 * hour) * 1000 }] },
  }
  await plane.logsRound()
  expect(asked.slice(1)).toEqual([
    { method: 'DELETE', url: `/internal/logs/${foreignRef}`, body: {} },
    retention,
  ])
  asked = []
  bodies.set('/internal/logs', [ownRef])
  await plane.logsRound()
  expect(asked.slice(1)).toEqual([retention])
})
