import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { StoredMetric, UsageReport } from '#contract/billing/usage-metrics'
import { probeHeader, probeToken } from '#kit/http/probes'
import { silentLog } from '#kit/log'
import { issuerKey, signedBy, startIssuer } from '#kit/testing/issuer'
import type { TestDataPlane } from '../testing/data-plane.ts'
import { clientOf, startRealtime } from '../testing/realtime/client.ts'
import { createMeter } from './meter.ts'

const size = 100_000
/** Bytes of the lines that go before an answer, at most. */
const headers = 2000

let plane: TestDataPlane
let folder: string
let isAway = false
const buckets = new Map<string, UsageReport['buckets'][number]>()
let sightings: UsageReport['sightings'] = []

async function take(report: UsageReport) {
  if (isAway) throw new Error('nobody is there')
  for (const bucket of report.buckets) {
    const key = `${bucket.start} ${bucket.metric} ${bucket.minute}`
    if ((buckets.get(key)?.value ?? 0) < bucket.value) buckets.set(key, bucket)
  }
  sightings.push(...report.sightings)
  return { refused: 0 }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-usage-'))
  plane = await startRealtime(
    `create table books (id int primary key, title text);
     insert into books values (1, repeat('x', ${size}));
     grant select on books to anon;`,
    { auth: { MAILER_AUTOCONFIRM: true, EXTERNAL_ANONYMOUS_USERS_ENABLED: true } },
    {
      meter: createMeter({ folder, send: take, log: silentLog, syncMs: 10, sendMs: 20 }),
      egressEveryMs: 20,
      reachesLoopback: true,
    },
  )
})
afterAll(async () => {
  await plane.close()
  // What was taken leaves no journal.
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})

let before = new Map<StoredMetric, number>()
const total = (metric: StoredMetric) =>
  [...buckets.values()].reduce((sum, one) => sum + (one.metric === metric ? one.value : 0), 0)
beforeEach(() => {
  before = new Map([...buckets.values()].map(({ metric }) => [metric, total(metric)]))
  sightings = []
})
/** What came since the test began. */
const counted = (metric: StoredMetric) => total(metric) - (before.get(metric) ?? 0)
const polled = (metric: StoredMetric) => expect.poll(() => counted(metric), { interval: 10 })

const ask = (path: string, key = plane.project.anonKey) =>
  fetch(plane.url + path, { headers: { apikey: key } })

test('an answer counts with all that it puts on its connection, for its own service', async () => {
  expect((await (await ask('/rest/v1/books')).text()).length).toBeGreaterThan(size)
  await polled('egress_rest').toBeGreaterThan(size)
  expect(counted('egress_rest')).toBeLessThan(size + headers)
  expect(counted('requests_rest')).toBe(1)
  for (const other of ['egress_auth', 'egress_graphql', 'requests_auth'] as const)
    expect(counted(other)).toBe(0)
  await (await ask('/auth/v1/settings')).text()
  await polled('egress_auth').toBeGreaterThan(100)
  expect(counted('requests_auth')).toBe(1)
})

test('who is refused counts too, and what is for no project counts for none', async () => {
  expect((await ask('/rest/v1/books', 'nobody')).status).toBe(401)
  await polled('egress_rest').toBeGreaterThan(0)
  const other = plane.url.replace(/[a-z]{20}$/, 'z'.repeat(20))
  expect((await fetch(`${other}/rest/v1/books`)).status).toBe(404)
  await (await ask('/auth/v1/settings')).text()
  await polled('requests_auth').toBe(1)
  expect([...buckets.values()].map(({ ref }) => ref)).not.toContain('z'.repeat(20))
  expect(counted('requests_rest')).toBe(1)
})

test('what the platform asks by itself nobody has used', async () => {
  const probe = { [probeHeader]: probeToken('a token that only our own programs know') }
  const response = await fetch(`${plane.url}/rest/v1/books`, {
    headers: { apikey: plane.project.anonKey, ...probe },
  })
  expect((await response.text()).length).toBeGreaterThan(size)
  await (await ask('/auth/v1/settings')).text()
  await polled('requests_auth').toBe(1)
  expect([counted('requests_rest'), counted('egress_rest')]).toEqual([0, 0])
})

test('answers that wait for one another on one connection each count for their own service', async () => {
  const { hostname, port, pathname } = new URL(plane.url)
  const socket = connect(Number(port), hostname)
  const line = (path: string, more = '') =>
    `GET ${pathname}${path} HTTP/1.1\r\nHost: x\r\napikey: ${plane.project.anonKey}\r\n${more}\r\n`
  let came = 0
  socket.on('data', (chunk: Buffer) => (came += chunk.length))
  socket.write(
    line('/auth/v1/settings') +
      line('/rest/v1/books') +
      line('/auth/v1/settings', 'Connection: close\r\n'),
  )
  await once(socket, 'close')
  await polled('requests_auth').toBe(2)
  expect(counted('egress_rest') + counted('egress_auth')).toBe(came)
  expect(counted('egress_rest')).toBeGreaterThan(size)
  expect(counted('egress_auth')).toBeLessThan(size)
})

test('a long download counts while it lasts, and when it is broken off only as far as it came', async () => {
  const large = 40_000_000
  const service = clientOf({
    ...plane,
    project: { ...plane.project, anonKey: plane.project.serviceKey },
  })
  await service.storage.createBucket('open', { public: true })
  await service.storage.from('open').upload('large', Buffer.alloc(large))
  const request = get(`${plane.url}/storage/v1/object/public/open/large`)
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  answer.once('data', () => answer.pause())
  await polled('egress_storage').toBeGreaterThan(10_000)
  expect(answer.complete).toBe(false)
  request.destroy()
  await polled('requests_storage').toBe(3)
  expect(counted('egress_storage')).toBeLessThan(large)
})

test('an image that is rendered is seen once, in whatever sizes', async () => {
  const service = clientOf({
    ...plane,
    project: { ...plane.project, anonKey: plane.project.serviceKey },
  })
  const create = { width: 300, height: 200, channels: 3, background: 'red' } as const
  const image = await sharp({ create }).png().toBuffer()
  await service.storage.from('open').upload('red.png', image, { contentType: 'image/png' })
  for (const width of [100, 50])
    expect((await ask(`/storage/v1/render/image/public/open/red.png?width=${width}`)).status).toBe(
      200,
    )
  await expect.poll(() => sightings.length).toBe(1)
  expect(sightings).toMatchObject([{ kind: 'images' }])
})

test('each message counts as it comes in and for everybody who gets it; connections by the highest', async () => {
  const [a, b, c] = [clientOf(plane), clientOf(plane), clientOf(plane)]
  const heard: unknown[] = []
  const channels = [a, b, c].map((client) => {
    const channel = client.channel('room', { config: { broadcast: { self: false } } })
    channel.on('broadcast', { event: 'hello' }, (message) => heard.push(message))
    return channel
  })
  await Promise.all(
    channels.map(
      (channel) =>
        new Promise<void>((joined) => {
          channel.subscribe((status) => {
            if (status === 'SUBSCRIBED') joined()
          })
        }),
    ),
  )
  await channels[0]?.send({
    type: 'broadcast',
    event: 'hello',
    payload: { text: 'x'.repeat(1000) },
  })
  await expect.poll(() => heard.length).toBe(2)
  // One that came, two that went.
  await polled('realtime_messages').toBe(3)
  await polled('realtime_connections').toBeGreaterThanOrEqual(3)
  await polled('egress_realtime').toBeGreaterThan(2000)
  await Promise.all([a, b, c].map((client) => client.removeAllChannels()))
  for (const client of [a, b, c]) await client.realtime.disconnect()
})

test('whoever signs in or gets new tokens is seen, once', async () => {
  const client = clientOf(plane)
  const login = { email: 'grace@example.com', password: 'a long and winding password 42!' }
  expect((await client.auth.signUp(login)).error).toBeNull()
  expect((await client.auth.signInWithPassword(login)).error).toBeNull()
  expect((await client.auth.refreshSession()).error).toBeNull()
  expect(
    (await client.auth.signInWithPassword({ ...login, password: 'wrong' })).error,
  ).not.toBeNull()
  await polled('requests_auth').toBe(4)
  await expect.poll(() => sightings.length).toBe(1)
  expect(sightings).toMatchObject([{ kind: 'users', ref: plane.project.ref }])
  expect((await client.auth.signInAnonymously()).error).toBeNull()
  await expect.poll(() => sightings.length).toBe(2)
})

test('users of other issuers are seen by the requests that their tokens come with', async () => {
  const issuer = await startIssuer()
  const key = issuerKey('ES256', 'first')
  issuer.keys = [key.publicJwk]
  const thirdPartyAuth = [
    {
      id: 'integration',
      issuer: issuer.url,
      audience: null,
      jwksUrl: null,
      isFixed: false,
      jwks: { keys: [key.publicJwk] },
      readAt: Date.now(),
    },
  ]
  plane.directory.put({ ...plane.project, thirdPartyAuth })
  try {
    const askAs = (sub: string) =>
      fetch(`${plane.url}/rest/v1/books?select=id`, {
        headers: {
          apikey: plane.project.anonKey,
          authorization: `Bearer ${signedBy(key, { iss: issuer.url, sub, role: 'anon' })}`,
        },
      })
    for (const sub of ['alice', 'bob', 'alice']) expect((await askAs(sub)).status).toBe(200)
    const stranger = issuerKey('ES256', 'first')
    const forged = signedBy(stranger, { iss: issuer.url, sub: 'carol', role: 'anon' })
    const headers = { apikey: plane.project.anonKey, authorization: `Bearer ${forged}` }
    expect((await fetch(`${plane.url}/rest/v1/books`, { headers })).status).toBe(401)
    await polled('requests_rest').toBe(4)
    await expect
      .poll(() => sightings.map(({ kind }) => kind))
      .toEqual(['third_party_users', 'third_party_users'])
  } finally {
    plane.directory.put({ ...plane.project })
    await issuer.close()
  }
})

test('what nobody takes waits on the disk, and is taken later', async () => {
  isAway = true
  await (await ask('/rest/v1/books')).text()
  await expect.poll(async () => (await readdir(folder)).length).toBe(1)
  expect(counted('requests_rest')).toBe(0)
  isAway = false
  await polled('requests_rest').toBe(1)
  await expect.poll(async () => (await readdir(folder)).length).toBe(0)
})
