import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { byHost } from '../../../testing/by-host.ts'
import { internalToken } from '../../../testing/control-plane.ts'
import { startCertified, type Certified } from '../../../testing/acme/certified.ts'

let d: Certified
beforeAll(async () => {
  d = await startCertified()
})
afterAll(() => d.end())

const hostname = 'api.acme.org'
const atHttp = (host: string, path: string) =>
  byHost(`http://127.0.0.1:${d.challengePort}`)(host, path)
const path = () => `/platform/projects/${d.world.ref}/custom-hostname/certificate`

describe('refused', () => {
  test('who may not change names, and an order that nobody needs', async () => {
    expect((await fetch(`${d.world.controlUrl}${path()}`, { method: 'POST' })).status).toBe(401)
    expect((await d.world.stranger.call('POST', path())).status).toBe(404)
    expect((await d.world.as('Developer').call('POST', path())).status).toBe(403)
    expect(await d.retry()).toMatchObject({ status: 409, body: { code: 'certificate_not_needed' } })
  })

  test('what only data planes ask', async () => {
    for (const address of [
      `/internal/certificates/${hostname}`,
      `/internal/acme-challenges/${'t'.repeat(32)}?hostname=${hostname}`,
    ]) {
      expect((await d.world.ada.call('GET', address)).status, address).toBe(401)
    }
    const authorization = `Bearer ${internalToken}`
    const found = (address: string) =>
      fetch(`${d.world.controlUrl}${address}`, { headers: { authorization } })
    expect((await found(`/internal/certificates/${hostname}`)).status).toBe(404)
    expect((await found(`/internal/acme-challenges/short?hostname=${hostname}`)).status).toBe(400)
  })

  test('a name that is not proved: no order, no answer to an authority, no handshake', async () => {
    await d.initialize(hostname)
    await d.round()
    expect(d.acme.seen.orders).toBe(0)
    expect((await d.get()).custom).toMatchObject({ status: 'initiated', certificate: null })
    expect((await atHttp(hostname, `/.well-known/acme-challenge/${'t'.repeat(32)}`)).status).toBe(
      404,
    )
    expect((await atHttp(hostname, '/rest/v1/books')).status).toBe(404)
    await d.shows(hostname, false)
  })
})

test('a proved name gets a certificate, and is served over HTTPS', async () => {
  d.acme.faults.badNonces = 1
  let goOn = () => {}
  const asked = new Promise<void>((resolve) => {
    goOn = resolve
  })
  d.acme.faults.beforeLook = () => asked
  await d.take(hostname)
  expect(await d.certificate()).toMatchObject({ state: 'issuing', until: null })
  goOn()
  await d.round()
  d.acme.faults.beforeLook = undefined
  expect(await d.certificate()).toMatchObject({
    state: 'active',
    until: expect.any(String),
    failure: null,
  })
  expect(d.acme.seen).toMatchObject({ orders: 1, csrs: 1, contacts: ['mailto:ops@example.com'] })
  expect(await d.entries('domains.certificate')).toEqual(['domains.certificate null'])
  await d.shows(hostname, true)
  const { anonKey } = d.world.project
  const books = await d.https(hostname, '/rest/v1/books', { headers: { apikey: anonKey } })
  expect(books).toEqual({ status: 200, body: '[{"id":1,"title":"Dune"}]' })
  // Nothing is due for 60 days.
  await d.round()
  expect(d.acme.seen.orders).toBe(1)
})

test('who comes without TLS is led to HTTPS, where there is a certificate', async () => {
  const moved = await atHttp('API.Acme.org.', '/rest/v1/books?select=id')
  expect(moved).toMatchObject({
    status: 308,
    headers: { location: `https://${hostname}:${d.httpsPort}/rest/v1/books?select=id` },
  })
  for (const host of ['acme.org', `x.${hostname}`, '127.0.0.1', `${hostname}@evil.example.org`])
    expect((await atHttp(host, '/')).status, host).toBe(404)
  const outside = await atHttp(hostname, 'http://evil.example.org/')
  expect(outside.status).toBe(404)
  // The address behind a proxy goes on over HTTP.
  await d.answers(hostname, 200)
})

test('keys are sealed at rest, and nothing of them is in an answer for people', async () => {
  const { rows } = await d.world.control.pool.query<{ text: string }>(
    `select row_to_json(c)::text as text from platform.hostname_certificates c
     union all select row_to_json(a)::text from platform.acme_accounts a
     union all select row_to_json(e)::text from platform.audit_entries e`,
  )
  expect(rows.length).toBeGreaterThan(2)
  for (const { text } of rows) expect(text).not.toContain('PRIVATE KEY')
  expect(JSON.stringify(await d.get())).not.toContain('KEY')
  expect(d.acme.accounts.size).toBe(1)
})

test('the token of an order is answered at its name alone, and no longer than the order lasts', async () => {
  const asked: { at: string; status: number }[] = []
  d.acme.faults.beforeLook = async () => {
    const token = d.acme.lastToken()
    const well = `/.well-known/acme-challenge/${token}`
    const ask = async (at: string, host: string, address: string) =>
      asked.push({ at, status: (await atHttp(host, address)).status })
    await ask('its name', 'new.acme.org', well)
    await ask('its name, written otherwise', 'NEW.acme.org.:80', well)
    await ask('another name', hostname, well)
    await ask('a name of nobody', 'other.acme.org', well)
    await ask('another token', 'new.acme.org', `${well.slice(0, -1)}_`)
    await ask('a longer path', 'new.acme.org', `${well}/x`)
    const planes = await d.at('new.acme.org', well)
    asked.push({ at: 'the port of projects', status: planes.status })
    const below = await d.at('127.0.0.1', `/${d.world.ref}${well}`)
    asked.push({ at: 'below a project', status: below.status })
  }
  await d.take('new.acme.org')
  await d.round()
  d.acme.faults.beforeLook = undefined
  expect(asked).toEqual([
    { at: 'its name', status: 200 },
    { at: 'its name, written otherwise', status: 200 },
    { at: 'another name', status: 404 },
    { at: 'a name of nobody', status: 404 },
    { at: 'another token', status: 404 },
    { at: 'a longer path', status: 404 },
    { at: 'the port of projects', status: 200 },
    { at: 'below a project', status: 404 },
  ])
  expect(await d.certificate()).toMatchObject({ state: 'active' })
  const late = `/.well-known/acme-challenge/${d.acme.lastToken()}`
  expect((await atHttp('new.acme.org', late)).status).toBe(404)
  // The name before is nobody's now.
  await d.shows(hostname, false)
  await d.shows('new.acme.org', true)
})

test('two thirds of its time later there is another certificate, with another key', async () => {
  const before = await d.shake('new.acme.org')
  const { fingerprint256, pubkey } = before.getPeerCertificate()
  before.destroy()
  d.clock.ahead += 59 * 86_400_000
  await d.round()
  const { orders } = d.acme.seen
  d.clock.ahead += 2 * 86_400_000
  await d.round()
  expect(d.acme.seen.orders).toBe(orders + 1)
  const { rows } = await d.world.control.pool.query<{ certificate: string }>(
    'select certificate from platform.hostname_certificates',
  )
  const renewed = new X509Certificate(rows[0]?.certificate ?? '')
  expect(renewed.fingerprint256).not.toBe(fingerprint256)
  const key = renewed.publicKey.export({ type: 'spki', format: 'der' })
  expect(key.equals(pubkey ?? Buffer.from(''))).toBe(false)
})
