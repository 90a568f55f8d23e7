import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { latencyBounds, type RequestCount } from '#contract/projects/project-home'
import { silentLog } from '#kit/log'
import {
  internalToken,
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { insertProject, ownRef } from '../../testing/victim.ts'
import { homeStore } from './store.ts'
import { createUsage } from './usage.ts'

let plane: TestControlPlane
let services: Server
let ada: Person
let stranger: Person
/** What the services of projects answer with. */
let answer = 401
const now = Date.parse('2026-03-01T12:34:56Z')

beforeAll(async () => {
  services = createServer((_, response) => {
    response.statusCode = answer
    response.end()
  })
  await new Promise<void>((resolve) => services.listen(0, '127.0.0.1', resolve))
  const { port } = services.address() as AddressInfo
  plane = await startControlPlane(silentLog, `http://127.0.0.1:${port}`, {
    now: () => new Date(now),
  })
  ada = await newcomer(plane, 'ada')
  stranger = await newcomer(plane, 'eve')
  await insertProject(plane, (await organizationOf(ada, 'Acme')).id, ownRef)
})
afterAll(async () => {
  await plane.end()
  services.close()
})

const url = (of: string) => `/platform/projects/${ownRef}/${of}`
const minuteAgo = (minutes: number) => Math.floor(now / 60_000) * 60_000 - minutes * 60_000

function count(minutes: number, more: Partial<RequestCount> = {}): RequestCount {
  const histogram = Array.from({ length: latencyBounds.length + 1 }, () => 0)
  histogram[3] = more.requests ?? 1
  const none = { errors: 0, keyed: false, cpuMs: 0, memoryMb: 0 }
  const one = { ref: ownRef, service: 'rest', requests: 1, ...none } as const
  return { ...one, minute: minuteAgo(minutes), histogram, ...more }
}

async function report(counts: object[], token = internalToken): Promise<number> {
  const response = await plane.app.inject({
    method: 'POST',
    url: '/internal/request-counts',
    headers: { authorization: `Bearer ${token}` },
    payload: { counts },
  })
  return response.statusCode
}

type Usage = {
  key_used_at: string | null
  services: {
    name: string
    requests: number
    errors: number
    p95_ms: number | null
    bars: { requests: number; errors: number }[]
  }[]
}
async function usage(range: string) {
  const { status, body } = await ada.call('GET', `${url('request-counts')}?range=${range}`)
  expect(status).toBe(200)
  const { key_used_at, services: found } = body as Usage
  return { key_used_at, rest: found.find(({ name }) => name === 'rest') }
}

test.each(['services', 'activity', 'request-counts'])(
  '%s: for members only, and for projects that are there',
  async (of) => {
    expect((await plane.app.inject({ url: url(of) })).statusCode).toBe(401)
    expect((await stranger.call('GET', url(of))).status).toBe(404)
    expect((await ada.call('GET', `/platform/projects/${'z'.repeat(20)}/${of}`)).status).toBe(404)
  },
)

test('counts are taken from our own programs only, and only whole ones', async () => {
  expect(await report([count(1)], ada.token)).toBe(401)
  expect(await report([])).toBe(400)
  expect(await report([count(1, { minute: now })])).toBe(400)
  expect(await report([count(1, { histogram: [1] })])).toBe(400)
  expect(await report([count(1, { requests: -1 })])).toBe(400)
  expect((await ada.call('GET', `${url('request-counts')}?range=1y`)).status).toBe(400)
})

test('a project nobody has used yet', async () => {
  const { key_used_at, rest } = await usage('24h')
  expect(key_used_at).toBeNull()
  expect(rest).toMatchObject({ requests: 0, errors: 0, p95_ms: null })
  expect(rest?.bars).toHaveLength(48)
})

test('counts add up, also two of one minute at once, and those of unknown projects are left out', async () => {
  const parts = [count(1, { requests: 3, errors: 1 }), count(1, { requests: 4 })]
  const unknown = count(1, { ref: 'z'.repeat(20) })
  expect(await Promise.all([...parts, unknown].map((one) => report([one])))).toEqual([
    200, 200, 200,
  ])
  expect(await report([count(30), count(90), count(60 * 24 * 3)])).toBe(200)
  const hour = await usage('1h')
  expect(hour.rest).toMatchObject({ requests: 8, errors: 1, p95_ms: 9.8 })
  expect(hour.rest?.bars).toHaveLength(60)
  expect(hour.rest?.bars.at(-2)).toEqual({ requests: 7, errors: 1 })
  expect((await usage('24h')).rest?.requests).toBe(9)
  expect((await usage('7d')).rest?.requests).toBe(10)
  const { rows } =
    await sql`select 1 from platform.request_counts where project_ref = ${'z'.repeat(20)}`.execute(
      plane.db,
    )
  expect(rows).toEqual([])
})

test('all functions are told of as one service', async () => {
  const of = (id: string, requests: number) =>
    count(2, { service: `function:${id}`, requests, errors: 1 })
  const first = 'aaaaaaaa-0000-4000-8000-000000000001'
  const second = 'aaaaaaaa-0000-4000-8000-000000000002'
  expect(await report([of(first, 3), of(second, 2), count(2, { service: 'storage' })])).toBe(200)
  const { body } = await ada.call('GET', `${url('request-counts')}?range=1h`)
  const told = (body as Usage).services
  expect(told.map(({ name }) => name)).toEqual(['rest', 'graphql', 'auth', 'storage', 'functions'])
  expect(told.at(-1)).toMatchObject({ requests: 5, errors: 2 })
  expect(told.at(-2)?.requests).toBe(1)
})

test('when a key was first used stays', async () => {
  expect((await usage('1h')).key_used_at).toBeNull()
  await report([count(5, { keyed: true }), count(3, { keyed: true })])
  const first = new Date(minuteAgo(5)).toISOString()
  expect((await usage('1h')).key_used_at).toBe(first)
  await report([count(0, { keyed: true })])
  expect((await usage('1h')).key_used_at).toBe(first)
})

const worker = 'function:11111111-1111-4111-8111-111111111111'

test('old minutes become half hours without losing a request, and what is too old goes', async () => {
  await report([
    count(200, { requests: 5, errors: 2 }),
    count(201, { requests: 6 }),
    count(60 * 24 * 9),
    count(200, { service: worker, requests: 0, cpuMs: 40, memoryMb: 90 }),
    count(201, { service: worker, requests: 0, cpuMs: 50, memoryMb: 70 }),
  ])
  const before = await usage('24h')
  const prune = () => createUsage(homeStore(plane.db), () => new Date(now)).prune()
  await prune()
  const { rows } = await sql<{ seconds: number; parts: number }>`
    select seconds, count(*)::int as parts from platform.request_counts group by 1 order by 1`.execute(
    plane.db,
  )
  expect(rows.map(({ seconds }) => seconds)).toEqual([60, 1800])
  expect((await usage('24h')).rest).toEqual(before.rest)
  // What comes late is added to a half hour that is there already.
  await report([
    count(200, { requests: 1 }),
    count(201, { service: worker, requests: 0, cpuMs: 10, memoryMb: 80 }),
  ])
  await prune()
  expect((await usage('24h')).rest?.requests).toBe((before.rest?.requests ?? 0) + 1)
  const used = await sql`select sum(cpu_ms)::int as cpu, max(memory_mb) as memory
    from platform.request_counts where service = ${worker}`.execute(plane.db)
  expect(used.rows).toEqual([{ cpu: 100, memory: 90 }])
  const old =
    await sql`select 1 from platform.request_counts where began_at < now() - interval '8 days'
    and began_at < ${new Date(now - 8 * 24 * 3_600_000)}`.execute(plane.db)
  expect(old.rows).toEqual([])
})

test('services are asked, whatever they say', async () => {
  const states = async () => (await ada.call('GET', url('services'))).body
  await sql`update platform.projects set status = 'ACTIVE_HEALTHY' where ref = ${ownRef}`.execute(
    plane.db,
  )
  const list = Object.values(await states()) as Record<string, unknown>[]
  // The project is a row only: no database of it runs.
  expect(list.map(({ name, healthy, error }) => [name, healthy, error])).toEqual([
    ['db', false, 'It does not answer'],
    ['rest', true, undefined],
    ['graphql', true, undefined],
    ['auth', true, undefined],
    ['storage', true, undefined],
    ['realtime', true, undefined],
    ['functions', true, undefined],
  ])
  expect(list.map(({ latency_ms }) => typeof latency_ms)).toEqual([
    'object',
    ...Array.from({ length: 6 }, () => 'number'),
  ])
  answer = 503
  expect(Object.values(await states())[1]).toMatchObject({
    healthy: false,
    latency_ms: null,
    error: 'It answered with 503',
  })
  await sql`update platform.projects set status = 'INACTIVE' where ref = ${ownRef}`.execute(
    plane.db,
  )
  expect(Object.values(await states())[2]).toMatchObject({ error: 'The project is INACTIVE' })
})

test('what was done to the project, newest first', async () => {
  await sql`update platform.projects set status = 'ACTIVE_HEALTHY' where ref = ${ownRef}`.execute(
    plane.db,
  )
  for (const name of ['Books', 'More books'])
    expect((await ada.call('PATCH', `/platform/projects/${ownRef}`, { name })).status).toBe(200)
  const list = Object.values((await ada.call('GET', url('activity'))).body)
  expect(list).toMatchObject([
    { action: 'projects.update', by: 'ada@example.com' },
    { action: 'projects.update', by: 'ada@example.com' },
  ])
})
