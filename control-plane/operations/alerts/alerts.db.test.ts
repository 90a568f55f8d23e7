import { createHmac, generateKeyPairSync } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:tls'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selfSigned } from '#kit/network/self-signed'
import { startBackupWorld, type BackupWorld } from '../../testing/backups.ts'
import { internalToken, type Person } from '../../testing/control-plane.ts'
import { newcomer } from '../../testing/people.ts'
import { startReceiver, type Receiver } from '../../testing/webhook-receiver.ts'

const patience = { timeout: 120_000 }
const minute = 60_000
const hour = 60 * minute
const gb = 1024 ** 3

let world: BackupWorld
let operator: Person
let receiver: Receiver
let tls: Server
let secret: string
const disk = { free: 500 * gb, size: 1000 * gb }
const mails: { to: string; subject: string }[] = []
let holdMails: Promise<void> | undefined

/** A server whose certificate ends in 20 days. */
async function startTls(): Promise<Server> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const until = new Date(Date.now() + 20 * 24 * hour)
  const body = selfSigned({ publicKey, privateKey, commonName: 'localhost', until })
  const cert = `-----BEGIN CERTIFICATE-----\n${body.replaceAll(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----`
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const server = createServer({ cert, key })
  // Whoever only looks at the certificate hangs up.
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return server
}

beforeAll(async () => {
  tls = await startTls()
  receiver = await startReceiver()
  // A server that listens on a port has an address.
  const { port } = tls.address() as AddressInfo
  world = await startBackupWorld({
    url: `https://127.0.0.1:${port}`,
    installation: {
      place: 'here:1',
      disk: { folder: '/nowhere', parts: [], space: () => Promise.resolve(disk) },
    },
    sendMail: async ({ to, subject }) => {
      await holdMails
      mails.push({ to, subject })
    },
  })
  operator = await newcomer(world.plane, 'operator')
  await world.plane.app.inject({
    method: 'PUT',
    url: '/internal/operators/operator@example.com',
    headers: { authorization: `Bearer ${internalToken}` },
  })
})
afterAll(async () => {
  await world.end()
  await receiver.end()
  await new Promise((resolve) => tls.close(resolve))
})

const settings = '/platform/operator/alert-settings'
type Listed = {
  condition: string
  subject: string
  closed_at: string | null
  deliveries: { event: string; attempts: number; told_at: string | null; failure: string | null }[]
}
async function list(): Promise<Listed[]> {
  const { status, body } = await operator.call('GET', '/platform/operator/alerts')
  if (status !== 200) throw new Error(JSON.stringify(body))
  // The contract's own parser has made it.
  return body['alerts'] as Listed[]
}
const open = async () =>
  (await list()).filter(({ closed_at }) => closed_at === null).map((one) => one.condition)
async function look(): Promise<string[]> {
  await world.plane.signOfLife()
  await world.plane.evaluateAlerts()
  await world.plane.deliverAlerts()
  return open()
}
const told = () =>
  receiver.received.map(({ headers, body }) => ({
    id: String(headers['webhook-id']),
    ...(JSON.parse(body) as { type: string; data: { condition?: string; message: string } }),
  }))

test.each([
  { emails: ['nobody'], webhook_url: null, muted: [] },
  { emails: Array(11).fill('a@example.com'), webhook_url: null, muted: [] },
  { emails: [], webhook_url: 'ftp://example.com', muted: [] },
  { emails: [], webhook_url: 'javascript:alert(1)', muted: [] },
  { emails: [], webhook_url: 'example.com', muted: [] },
  { emails: [], webhook_url: null, muted: ['everything'] },
  { emails: [], webhook_url: null },
])('settings %j are refused', async (wanted) => {
  expect((await operator.call('PUT', settings, wanted)).status).toBe(400)
})

test('without a webhook there is no secret to make', async () => {
  const refused = await operator.call('POST', `${settings}/secret`)
  expect(refused.status).toBe(400)
  expect(String(refused.body['message'])).toContain('Set the URL')
  expect((await operator.call('POST', `${settings}/test`)).body).toEqual({
    mails: 0,
    webhook: null,
  })
})

test('the secret is shown once, and stands in no log', async () => {
  const wanted = { emails: ['Ops@example.com'], webhook_url: receiver.url, muted: [] }
  const first = await operator.call('PUT', settings, wanted)
  expect(first.body).toMatchObject({ emails: ['ops@example.com'] })
  secret = String(first.body['webhook_secret'])
  expect(secret).toMatch(/^whsec_[\w+/=]{32}$/)
  expect((await operator.call('PUT', settings, wanted)).body['webhook_secret']).toBeNull()
  expect(JSON.stringify((await operator.call('GET', settings)).body)).not.toContain('whsec')
  const changed = await operator.call('POST', `${settings}/secret`)
  expect(changed.body['webhook_secret']).not.toBe(secret)
  secret = String(changed.body['webhook_secret'])
  const entries = await world.audited('alerts.set-settings')
  expect(entries).toHaveLength(2)
  expect(entries[0]?.actor_email).toBe('operator@example.com')
  expect(JSON.stringify(entries)).not.toContain(secret)
})

test('a test says what the receiver said', async () => {
  receiver.answers.push(503)
  expect((await operator.call('POST', `${settings}/test`)).body).toEqual({
    mails: 1,
    webhook: { ok: false, failure: 'The receiver answered 503' },
  })
  expect((await operator.call('POST', `${settings}/test`)).body).toMatchObject({
    webhook: { ok: true },
  })
  const last = receiver.received.at(-1)
  const { headers, body } = last ?? { headers: {}, body: '' }
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const mac = createHmac('sha256', key).update(content).digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${mac}`)
  await expect.poll(() => mails.filter(({ to }) => to === 'ops@example.com').length).toBe(2)
  receiver.received.length = 0
  mails.length = 0
})

test('a disk that is short opens one alert, told once by each way; more space closes it', async () => {
  expect(await look()).toEqual([])
  disk.free = 40 * gb
  // The receiver is away for the first two times.
  receiver.answers.push(500, 500)
  expect(await look()).toEqual(['disk_short'])
  expect(await look()).toEqual(['disk_short'])
  expect(told()).toHaveLength(1)
  world.pass(minute)
  await look()
  world.pass(5 * minute)
  await look()
  world.pass(hour)
  await look()
  expect(told().map(({ type }) => type)).toEqual(['alert.opened', 'alert.opened', 'alert.opened'])
  expect(new Set(told().map(({ id }) => id)).size).toBe(1)
  expect((await list())[0]?.deliveries).toMatchObject([
    { event: 'opened', attempts: 3, failure: null, told_at: expect.any(String) },
  ])
  disk.free = 500 * gb
  expect(await look()).toEqual([])
  await look()
  expect(
    told()
      .map(({ type }) => type)
      .slice(3),
  ).toEqual(['alert.closed'])
  await expect
    .poll(() => mails.map(({ subject }) => subject.split(':')[0]))
    .toEqual(['[Plinth] Alert', '[Plinth] Resolved'])
})

test('the end of an alert waits until its beginning was told', async () => {
  receiver.received.length = 0
  receiver.answers.push(500)
  disk.free = gb
  await look()
  disk.free = 500 * gb
  await look()
  expect(told().map(({ type }) => type)).toEqual(['alert.opened'])
  world.pass(hour)
  await look()
  expect(told().map(({ type }) => type)).toEqual(['alert.opened', 'alert.opened', 'alert.closed'])
})

test('a project that stays unhealthy', async () => {
  const set = (status: 'INIT_FAILED' | 'ACTIVE_HEALTHY', ago: number) =>
    world.plane.db
      .updateTable('platform.projects')
      .set({ status, status_since: new Date(world.now().getTime() - ago) })
      .execute()
  await set('INIT_FAILED', 4 * minute)
  expect(await look()).toEqual([])
  await set('INIT_FAILED', 6 * minute)
  expect(await look()).toEqual(['project_unhealthy'])
  await set('ACTIVE_HEALTHY', 0)
  expect(await look()).toEqual([])
})

test('a data plane that goes without a word, and one that says so', async () => {
  const report = (place: string, ends = false) =>
    world.plane.app.inject({
      method: 'POST',
      url: '/internal/planes',
      headers: { authorization: `Bearer ${internalToken}` },
      payload: {
        place,
        version: '1.0.0',
        started_at: new Date().toISOString(),
        memory_bytes: 1,
        ends,
      },
    })
  expect((await operator.call('POST', '/internal/planes')).status).toBe(401)
  await report('polite:8001')
  await report('lost:8001')
  expect(await look()).toEqual([])
  await report('polite:8001', true)
  world.pass(61_000)
  expect(await look()).toEqual(['data_plane_lost'])
  expect((await list())[0]?.subject).toBe('data-plane lost:8001')
  await report('lost:8001')
  expect(await look()).toEqual([])
  await report('lost:8001', true)
})

test('a job that does not end', patience, async () => {
  let release = () => {}
  holdMails = new Promise((resolve) => (release = resolve))
  await operator.call('POST', `${settings}/test`)
  world.pass(2 * hour)
  // A mail is tried for two hours.
  expect(await open()).not.toContain('job_stuck')
  world.pass(2 * hour)
  expect(await look()).toContain('job_stuck')
  release()
  holdMails = undefined
  await expect.poll(() => world.unfinished(), { timeout: 120_000 }).toBe(0)
  expect(await look()).not.toContain('job_stuck')
})

test('a backup that is late, one that fails, and one that is made', patience, async () => {
  // Nobody ordered the first one, four hours ago.
  expect(await look()).toContain('backup_late')
  const { backups } = world.plane.compute
  if (!backups) throw new Error('This provider keeps no backups')
  const { make } = backups
  backups.make = () => Promise.reject(new Error('no room on the disk'))
  try {
    await world.plane.backupRound()
    await expect.poll(look, { timeout: 120_000 }).toContain('backup_failed')
  } finally {
    backups.make = make
  }
  const failed = told().find(({ data }) => data.condition === 'backup_failed')
  expect(failed?.data.message).toContain('no room on the disk')
  world.pass(2 * hour)
  await world.plane.backupRound()
  await expect.poll(look, { timeout: 120_000 }).toEqual([])
})

test('a round that fails for one of its subjects', async () => {
  await world.plane.db
    .updateTable('platform.subscriptions')
    .set({
      anchor: new Date('2026-01-01T00:00:00Z'),
      period_start: new Date('2026-01-01T00:00:00Z'),
      period_end: new Date('2026-02-01T00:00:00Z'),
    })
    .execute()
  await sql
    .raw(
      `create function poison() returns trigger language plpgsql as $$ begin raise 'poison'; end $$;
      create trigger poison before insert or update on platform.billing_runs for each row execute function poison()`,
    )
    .execute(world.plane.db)
  await world.plane.billingRound()
  expect(await look()).not.toContain('round_failing')
  world.pass(11 * minute)
  expect(await look()).toContain('round_failing')
  // The clock that has jumped makes jobs look old, too.
  const failing = told().find(({ data }) => data.condition === 'round_failing')
  expect(failing?.data.message).toContain('poison')
})

test('what is muted opens nothing, closes what was open, and tells nobody of it', async () => {
  const before = told().length
  const muted = ['round_failing']
  await operator.call('PUT', settings, { emails: [], webhook_url: receiver.url, muted })
  expect(await look()).not.toContain('round_failing')
  expect(told().length).toBe(before)
})

test('a certificate that ends', async () => {
  expect(await open()).not.toContain('certificate_ending')
  world.pass(7 * 24 * hour)
  expect(await look()).toContain('certificate_ending')
})

test('what is open, and what is known of the installation, stands on one page', async () => {
  const { status, body } = await operator.call('GET', '/platform/operator/health')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    // Those that nobody has heard for a day are forgotten.
    planes: [{ kind: 'control-plane', place: 'here:1', state: 'running' }],
    disks: [{ place: 'here:1', folder: '/nowhere', free_bytes: disk.free }],
    certificates: [{ ends_at: expect.any(String), why: null }],
    backups: { promised: 1, failed: [], newest_at: expect.any(String) },
    database: { standbys: 0 },
    jobs: { waiting: 0 },
  })
  const { open_alerts, rounds } = body as { open_alerts: { condition: string }[]; rounds: object[] }
  expect(open_alerts.map(({ condition }) => condition)).toContain('certificate_ending')
  expect(rounds).toContainEqual(expect.objectContaining({ name: 'backups', seconds: 60 }))
})
