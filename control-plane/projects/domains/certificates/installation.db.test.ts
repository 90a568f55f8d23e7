import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSecrets } from '#kit/secrets'
import { planeStore } from '../../../operations/health/planes-store.ts'
import { startCertified, type Certified } from '../../../testing/acme/certified.ts'
import { byHost } from '../../../testing/by-host.ts'
import { internalToken } from '../../../testing/control-plane.ts'
import { target } from '../../../testing/domains.ts'
import { installationStore } from './installation-store.ts'

const dashboard = 'plinth.acme-host.net'
const projects = 'api.acme-host.net'
const given = 'given.acme-host.net'
const torn = 'torn.acme-host.net'
const origin = `https://${dashboard}`

let d: Certified
beforeAll(async () => {
  d = await startCertified(
    {
      secrets: createSecrets(Buffer.alloc(32, 7)),
      security: { allowedOrigins: [origin], connectTo: [], trustedProxies: [] },
      domains: {
        installation: {
          hostnames: [dashboard, projects, given, torn],
          isGiven: (hostname) =>
            hostname === torn
              ? Promise.reject(new Error('no such file'))
              : Promise.resolve(hostname === given),
        },
      },
    },
    dashboard,
  )
  for (const name of [dashboard, projects]) d.dns.records.set(name, { CNAME: target })
})
afterAll(() => d.end())
beforeEach(() => {
  d.acme.faults.refusal = undefined
})

const hourMs = 3_600_000
const rows = async () =>
  (
    await d.world.control.db
      .selectFrom('platform.installation_certificates')
      .selectAll()
      .orderBy('hostname')
      .execute()
  ).map((row) => ({ ...row, text: JSON.stringify(row) }))
const row = async (hostname: string) => (await rows()).find((one) => one.hostname === hostname)
const failures = () => planeStore(d.world.control.db).orderFailures()
const signedIn = (headers: Record<string, string> = {}) => ({
  authorization: `Bearer ${d.world.ada.token}`,
  'content-type': 'application/json',
  origin,
  ...headers,
})

test('an order that fails says why, and each failure doubles the wait', async () => {
  d.acme.faults.refusal = 'Invalid response from http://x'
  await d.round()
  expect(d.acme.seen.orders).toBe(2)
  const reason = 'The certificate authority refused: Invalid response from http://x'
  expect(await failures()).toEqual(
    new Map([
      [dashboard, reason],
      [projects, reason],
    ]),
  )
  const failed = await row(dashboard)
  expect(failed).toMatchObject({ failures: 1, attempt: null, certificate: null })
  const minutes = ((failed?.next_at.getTime() ?? 0) - Date.now()) / 60_000
  expect(Math.round(minutes)).toBe(15)
  await d.shows(dashboard, false)
  // It is not asked for again before that, and then waits longer.
  await d.round()
  expect(d.acme.seen.orders).toBe(2)
  d.clock.ahead += 0.3 * hourMs
  await d.round()
  expect(d.acme.seen.orders).toBe(4)
  expect((await row(dashboard))?.failures).toBe(2)
})

test('a restart tries again what has failed, but no more than a few times in an hour', async () => {
  d.acme.faults.refusal = 'no'
  const { orders } = d.acme.seen
  for (let i = 0; i < 4; i += 1) {
    // What the first round of a program does.
    await installationStore(d.world.control.db).orderFailedNow(new Date(0))
    await d.round()
  }
  expect(d.acme.seen.orders).toBe(orders + 4)
  expect((await failures()).get(dashboard)).toMatch(/^There were too many orders/)
  d.clock.ahead += 1.5 * hourMs
})

test('the names of the installation get certificates, but those that its operator gives', async () => {
  await d.round()
  expect((await rows()).map(({ hostname, failure }) => [hostname, failure])).toEqual([
    [projects, null],
    [dashboard, null],
  ])
  expect(await failures()).toEqual(new Map())
  await d.shows(dashboard, true)
  await d.shows(projects, true)
  await d.shows(given, false)
  await d.shows(torn, false)
  for (const { text } of await rows()) expect(text).not.toContain('PRIVATE KEY')
  const { orders } = d.acme.seen
  await d.round()
  expect(d.acme.seen.orders).toBe(orders)
})

describe('the dashboard at the HTTPS port', () => {
  test('keeps away what only our own programs call', async () => {
    const headers = { authorization: `Bearer ${internalToken}` }
    for (const path of ['/internal/hostnames', '//internal/hostnames', '/%69nternal/hostnames'])
      expect((await d.https(dashboard, path, { headers })).status, path).toBe(404)
    const inside = await fetch(`${d.world.controlUrl}/internal/hostnames`, { headers })
    expect(await inside.json()).toEqual(
      expect.arrayContaining([
        { hostname: dashboard, ref: null, certificate: expect.any(String) },
        { hostname: given, ref: null },
      ]),
    )
  })

  test('refuses who is not signed in, and pages of somebody else', async () => {
    expect((await d.https(dashboard, '/platform/profile')).status).toBe(401)
    const options = { method: 'POST', headers: signedIn({ origin: 'https://evil.example.org' }) }
    expect((await d.https(dashboard, '/platform/organizations', options, '{}')).status).toBe(403)
  })

  test('is the platform, which writes down who is connected and not who they say to be', async () => {
    const path = '/platform/organizations'
    const headers = signedIn({ 'x-forwarded-for': '192.0.2.1', 'x-real-ip': '192.0.2.1' })
    const body = JSON.stringify({ name: 'By the door', tier: 'tier_free' })
    const made = await d.https(dashboard, path, { method: 'POST', headers }, body)
    expect(made.status, made.body).toBe(201)
    const entry = await d.world.control.db
      .selectFrom('platform.audit_entries')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    expect(JSON.stringify(entry)).toContain('127.0.0.1')
    expect(JSON.stringify(entry)).not.toContain('192.0.2.1')
  })

  test('leads who comes without TLS to it', async () => {
    const ask = byHost(`http://127.0.0.1:${d.challengePort}`)
    expect(await ask(dashboard, '/project/x?tab=1')).toMatchObject({
      status: 308,
      headers: { location: `https://${dashboard}:${d.httpsPort}/project/x?tab=1` },
    })
  })

  test('is apart from the projects', async () => {
    const { anonKey } = d.world.project
    const path = `/${d.world.ref}/rest/v1/books`
    const books = await d.https(projects, path, { headers: { apikey: anonKey } })
    expect(books).toEqual({ status: 200, body: '[{"id":1,"title":"Dune"}]' })
    const other = await d.https(dashboard, path, { headers: { apikey: anonKey } })
    expect([other.status, other.body]).toEqual([404, expect.stringContaining('requestId')])
  })
})

test('no project takes a name of the installation', async () => {
  // Its owner had it before the operator chose it.
  await d.take('shop.acme.org')
  await d.round()
  await d.shows('shop.acme.org', true)
  await d.world.control.pool.query(
    `update platform.custom_hostnames set hostname = '${dashboard}' where hostname = 'shop.acme.org'`,
  )
  await d.world.control.pool.query(`select pg_notify('plinth_projects', '')`)
  await d.shows('shop.acme.org', false)
  const found = await d.https(dashboard, '/platform/profile')
  expect([found.status, found.body]).toEqual([401, expect.stringContaining('not_signed_in')])
})

test('two thirds of its time later there is another certificate, with another key', async () => {
  const before = await row(dashboard)
  const { orders } = d.acme.seen
  d.clock.ahead += 61 * 24 * hourMs
  await d.round()
  expect(d.acme.seen.orders).toBeGreaterThanOrEqual(orders + 2)
  const after = await row(dashboard)
  expect(after?.version).not.toBe(before?.version)
  expect(after?.sealed_key).not.toBe(before?.sealed_key)
  await expect
    .poll(
      async () => {
        const socket = await d.shake(dashboard)
        const { fingerprint256 } = socket.getPeerCertificate()
        socket.destroy()
        return fingerprint256.replaceAll(':', '').toLowerCase().slice(0, 40)
      },
      { timeout: 30_000 },
    )
    .toBe(after?.version)
})
