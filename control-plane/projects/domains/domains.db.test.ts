import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Domains } from '#contract/projects/domains'
import { startDomains, target, type DomainWorld } from '../../testing/domains.ts'

let d: DomainWorld
beforeAll(async () => {
  d = await startDomains()
})
afterAll(() => d.end())

const custom = () => `/platform/projects/${d.world.ref}/custom-hostname`

describe('refused', () => {
  test('who is not signed in, is in no organization of it, or may not change names', async () => {
    const paths = [
      ['GET', `/platform/projects/${d.world.ref}/domains`, 200],
      ['POST', `${custom()}/initialize`, 403],
      ['POST', `${custom()}/reverify`, 403],
      ['POST', `${custom()}/activate`, 403],
      ['DELETE', custom(), 403],
    ] as const
    for (const [method, path, forMembers] of paths) {
      const body = path.endsWith('initialize') ? { hostname: 'api.acme.org' } : undefined
      expect((await fetch(`${d.world.controlUrl}${path}`, { method })).status, path).toBe(401)
      expect((await d.world.stranger.call(method, path, body)).status, path).toBe(404)
      for (const role of ['Developer', 'Read-only'] as const)
        expect((await d.world.as(role).call(method, path, body)).status, path).toBe(forMembers)
    }
    expect((await d.world.ada.call('GET', '/internal/hostnames')).status).toBe(401)
  })

  test('what the plan does not have, and what the add-on is not enabled for', async () => {
    await d.setTier('tier_free')
    expect(await d.initialize('api.acme.org')).toMatchObject({
      status: 403,
      body: { code: 'plan_limit' },
    })
    expect(await d.enable()).toMatchObject({ status: 403, body: { code: 'plan_limit' } })
    expect(await d.get()).toMatchObject({ plan: { custom: false }, add_on: false, custom: null })
    await d.setTier('tier_pro')
    expect(await d.initialize('api.acme.org')).toMatchObject({
      status: 409,
      body: { code: 'custom_domain_off' },
    })
    expect((await d.disable()).status).toBe(404)
    expect((await d.enable()).status).toBe(201)
    expect((await d.enable()).status).toBe(201)
    expect(await d.get()).toMatchObject({ plan: { custom: true }, add_on: true, target })
  })

  test.each([
    ['*.acme.org', 'wildcards'],
    ['192.0.2.1', 'IP address'],
    ['acme', 'full hostname'],
    [target, 'platform itself'],
    [`x.${target}`, 'platform itself'],
    ['аcme.org', 'different scripts'],
    [`${`${'a'.repeat(60)}.`.repeat(5)}org`, 'up to'],
    ['a'.repeat(600), 'hostname'],
    ['', 'hostname'],
  ])('%j as a hostname', async (hostname, words) => {
    const refused = await d.initialize(hostname)
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body)).toContain(words)
  })

  test('what was not begun', async () => {
    for (const call of [d.reverify, d.activate, d.remove])
      expect(await call()).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

test('a name is found, activated and served, with the keys and the reach of the usual address', async () => {
  expect(await d.initialize(' API.Acme.org. ')).toMatchObject({
    status: 201,
    body: { custom: { hostname: 'api.acme.org', status: 'initiated', served: false } },
  })
  expect((await d.books('api.acme.org')).status).toBe(404)
  expect(await d.activate()).toMatchObject({
    status: 409,
    body: {
      code: 'hostname_not_verified',
      message: expect.stringContaining('The CNAME record was not found. The TXT record was not'),
    },
  })
  d.dns.records.set('api.acme.org', { CNAME: 'elsewhere.example.org' })
  d.dns.records.set('_plinth-challenge.api.acme.org', { TXT: ['plinth-verification=mine'] })
  const looked = (await d.reverify()).body
  expect(Domains.parse(looked).custom).toMatchObject({
    status: 'initiated',
    records: [
      { type: 'CNAME', value: target, state: 'different', found: ['elsewhere.example.org'] },
      { type: 'TXT', state: 'different', found: ['plinth-verification=mine'] },
    ],
  })
  // By way of another name.
  d.point('api.acme.org', ['v=spf1 -all', await d.tokenOf()], 'www.acme.org')
  d.dns.records.set('www.acme.org', { CNAME: target })
  expect((await d.reverify()).body).toMatchObject({ custom: { status: 'verified', served: false } })
  expect((await d.books('api.acme.org')).status).toBe(404)
  const { port } = new URL(d.world.project.url)
  expect((await d.activate()).body).toMatchObject({
    custom: { status: 'active', served: true, url: `http://api.acme.org:${port}` },
  })
  expect((await d.activate()).status).toBe(201)
  await d.answers('api.acme.org', 200)
  for (const host of ['API.acme.ORG', `api.acme.org:${port}`, 'api.acme.org.'])
    expect(await d.books(host)).toMatchObject({ status: 200, body: '[{"id":1,"title":"Dune"}]' })
  expect((await d.books('api.acme.org', { apikey: 'wrong' })).status).toBe(401)
  expect((await d.at('api.acme.org', '/rest/v1/books')).status).toBe(401)
  const cors = await d.books('api.acme.org', { origin: 'https://www.acme.org' })
  expect(cors.headers['access-control-allow-origin']).toBe('*')
  expect(
    (await d.at('api.acme.org', '/auth/v1/health', { apikey: d.world.project.anonKey })).status,
  ).toBe(200)
  expect(await d.entries('domains.%')).toEqual([
    'domains.initialize ada@example.com',
    'domains.activate ada@example.com',
  ])
})

test('by that name nothing else is reached, and nothing by a name that is like it', async () => {
  for (const path of [
    `/${d.world.ref}/rest/v1/books`,
    '/internal/pg-meta/x/tables',
    '/pg/tables',
    '/health',
    '/..%2f/rest/v1/books',
  ])
    expect(
      (await d.at('api.acme.org', path, { apikey: d.world.project.anonKey })).status,
      path,
    ).toBe(404)
  for (const host of ['acme.org', 'x.api.acme.org', 'api.acme.org.example.org', 'apixacme.org'])
    expect((await d.books(host)).status, host).toBe(404)
  const forwarded = { 'x-forwarded-host': 'api.acme.org' }
  expect((await d.books('other.example.org', forwarded)).status).toBe(404)
})

test('addresses that people are told follow; the one that always works stays, and tokens are issued by it', async () => {
  const project = (await d.world.ada.call('GET', `/platform/projects/${d.world.ref}`)).body
  const { port } = new URL(d.world.project.url)
  const own = `http://api.acme.org:${port}`
  expect(project).toMatchObject({ endpoint: d.world.project.url, public_url: own })
  const settings = await d.world.ada.call('GET', `/platform/projects/${d.world.ref}/settings`)
  expect(settings.body).toMatchObject({ app_config: { endpoint: own } })
  const storage = await d.world.ada.call('GET', `/platform/projects/${d.world.ref}/config/storage`)
  expect(storage.body).toMatchObject({ s3: { endpoint: `${own}/storage/v1/s3` } })
  const signUp = await d.at(
    'api.acme.org',
    '/auth/v1/signup',
    { apikey: d.world.project.anonKey, 'content-type': 'application/json' },
    {
      method: 'POST',
      body: JSON.stringify({ email: 'reader@example.com', password: 'a long password 42' }),
    },
  )
  expect(signUp.status).toBe(200)
  const { access_token: token } = JSON.parse(signUp.body) as { access_token: string }
  const claims = JSON.parse(
    Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
  ) as object
  expect(claims).toMatchObject({ iss: `${d.world.project.url}/auth/v1` })
  const user = { apikey: d.world.project.anonKey, authorization: `Bearer ${token}` }
  expect((await d.at('api.acme.org', '/auth/v1/user', user)).status).toBe(200)
  expect((await fetch(`${d.world.project.url}/auth/v1/user`, { headers: user })).status).toBe(200)
})

test('records that go away are said, and the name is served on', async () => {
  const before = await d.get()
  d.dns.state.fails = true
  d.clock.ahead += 11 * 60_000
  await d.world.control.domainsRound()
  expect((await d.get()).custom).toMatchObject({
    failing_since: null,
    records: [{ state: 'unknown' }, { state: 'unknown' }],
  })
  d.dns.state.fails = false
  d.dns.records.delete('api.acme.org')
  // A look was a moment ago.
  const { asked } = d.dns.state
  await d.world.control.domainsRound()
  expect(d.dns.state.asked).toBe(asked)
  for (let round = 0; round < 2; round++) {
    d.clock.ahead += 11 * 60_000
    await d.world.control.domainsRound()
  }
  const failing = (await d.get()).custom
  expect(failing).toMatchObject({
    status: 'active',
    served: true,
    failing_since: expect.any(String),
  })
  expect(failing?.records[0]?.state).toBe('missing')
  expect(await d.entries('domains.records-missing')).toEqual(['domains.records-missing null'])
  expect((await d.books('api.acme.org')).status).toBe(200)
  d.dns.records.set('api.acme.org', { CNAME: target })
  expect((await d.reverify()).body).toMatchObject({ custom: { failing_since: null } })
  expect(await d.tokenOf()).toBe(before.custom?.records[1]?.value)
})
