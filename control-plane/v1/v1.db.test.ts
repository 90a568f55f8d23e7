import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { v1HealthServices } from '#contract/v1/v1'
import { silentLog } from '#kit/log'
import { startControlPlane, type Person, type TestControlPlane } from '../testing/control-plane.ts'
import { newcomer, organizationOf } from '../testing/people.ts'

let plane: TestControlPlane
let services: Server
let ada: Person
let dev: Person
let reader: Person
let stranger: Person
/** What the services of projects answer with, as far as health asks them. */
let answer = 200
const asked: string[] = []

beforeAll(async () => {
  services = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.statusCode = answer
    response.end()
  })
  await new Promise<void>((resolve) => services.listen(0, '127.0.0.1', resolve))
  const { port } = services.address() as AddressInfo
  plane = await startControlPlane(silentLog, `http://127.0.0.1:${port}`)
  ada = await newcomer(plane, 'ada')
  dev = await newcomer(plane, 'dev')
  reader = await newcomer(plane, 'reader')
  stranger = await newcomer(plane, 'eve')
  const made = await organizationOf(ada, 'Acme', 'tier_team')
  for (const [who, role] of [
    [dev, 'Developer'],
    [reader, 'Read-only'],
  ] as const) {
    await plane.db
      .insertInto('platform.members')
      .values({ organization_id: made.id, user_id: who.userId, role })
      .execute()
  }
})
afterAll(async () => {
  await plane.end()
  services.close()
})

const requested = (more: object = {}) => ({
  name: 'Books',
  organization_id: 'acme',
  db_pass: 'a long and winding password 42!',
  region: 'eu-central-1',
  ...more,
})
const list = (body: Record<string, unknown>) => Object.values(body) as Record<string, unknown>[]

test.each([
  ['no organization', { organization_id: undefined }, 400],
  ['an unknown region', { region: 'moon-1' }, 400],
  ['a password of 100 characters', { db_pass: 'x'.repeat(100) }, 400],
  ['an organization that does not exist', { organization_id: 'nowhere' }, 404],
])('a project with %s is refused', async (_, more, status) => {
  const refused = await ada.call('POST', '/v1/projects', requested(more))
  expect(refused.status).toBe(status)
  expect(typeof refused.body['message']).toBe('string')
})

test('nobody makes a project in an organization of others, or beyond their role', async () => {
  for (const key of ['organization_id', 'organization_slug']) {
    const body = requested({ organization_id: undefined, [key]: 'acme' })
    expect((await stranger.call('POST', '/v1/projects', body)).status).toBe(404)
    expect((await dev.call('POST', '/v1/projects', body)).status).toBe(403)
    expect((await plane.app.inject({ method: 'POST', url: '/v1/projects' })).statusCode).toBe(401)
  }
})

test('which of two organizations is meant is decided before the permission is asked', async () => {
  const own = await organizationOf(dev, 'Own', 'tier_free')
  const both = requested({ organization_id: own.slug, organization_slug: 'acme' })
  expect((await dev.call('POST', '/v1/projects', both)).status).toBe(403)
})

test('organizations and members in the shapes of public tools', async () => {
  expect(list((await ada.call('GET', '/v1/organizations')).body)).toEqual([
    { id: 'acme', slug: 'acme', name: 'Acme' },
  ])
  expect((await ada.call('GET', '/v1/organizations/acme')).body).toMatchObject({
    id: 'acme',
    name: 'Acme',
    plan: 'team',
    opt_in_tags: [],
  })
  const members = list((await ada.call('GET', '/v1/organizations/acme/members')).body)
  expect(members.map(({ email, role_name }) => [email, role_name])).toEqual([
    ['ada@example.com', 'Owner'],
    ['dev@example.com', 'Developer'],
    ['reader@example.com', 'Read-only'],
  ])
  expect((await stranger.call('GET', '/v1/organizations/acme/members')).status).toBe(404)
})

test('a project from its making to its end', async () => {
  const made = await ada.call('POST', '/v1/projects', requested())
  expect(made).toMatchObject({
    status: 201,
    body: { organization_id: 'acme', name: 'Books', region: 'eu-central-1', status: 'COMING_UP' },
  })
  expect(JSON.stringify(made.body)).not.toContain('winding')
  const ref = String(made.body['id'])
  const url = `/v1/projects/${ref}`
  expect(made.body['ref']).toBe(ref)
  const statusOf = async () => (await ada.call('GET', url)).body['status']
  await expect.poll(statusOf).toBe('ACTIVE_HEALTHY')

  expect((await ada.call('GET', url)).body).toMatchObject({
    id: ref,
    database: { host: 'localhost', version: '17.10', postgres_engine: '17' },
  })
  expect(list((await reader.call('GET', '/v1/projects')).body)).toMatchObject([{ id: ref }])
  expect(list((await stranger.call('GET', '/v1/projects')).body)).toEqual([])
  for (const path of ['', '/api-keys', '/health'])
    expect((await stranger.call('GET', url + path)).status).toBe(404)

  const keys = list((await dev.call('GET', `${url}/api-keys`)).body)
  expect(keys.map(({ name, type }) => [name, type])).toEqual([
    ['anon', 'legacy'],
    ['service_role', 'legacy'],
    ['default', 'publishable'],
    ['default', 'secret'],
  ])
  expect(list((await reader.call('GET', `${url}/api-keys`)).body)).toEqual([])

  answer = 401
  const well = await ada.call('GET', `${url}/health`)
  expect(list(well.body)).toEqual(
    ['auth', 'db', 'rest'].map((name) => ({ name, healthy: true, status: 'ACTIVE_HEALTHY' })),
  )
  const ofServices = asked.filter((path) => !path.startsWith('/internal/'))
  expect(ofServices.toSorted()).toEqual([`/${ref}/auth/v1/health`, `/${ref}/rest/v1/`])
  const each = v1HealthServices.map((name) => `services=${name}`).join('&')
  expect(list((await ada.call('GET', `${url}/health?${each}`)).body)).toEqual(
    v1HealthServices.map((name) => ({ name, healthy: true, status: 'ACTIVE_HEALTHY' })),
  )
  answer = 503
  expect(list((await ada.call('GET', `${url}/health?services=rest,db`)).body)).toEqual([
    { name: 'rest', healthy: false, status: 'UNHEALTHY', error: 'It answered with 503' },
    { name: 'db', healthy: true, status: 'ACTIVE_HEALTHY' },
  ])
  expect((await ada.call('GET', `${url}/health?services=moon`)).status).toBe(400)

  for (const [who, status] of [
    [stranger, 404],
    [dev, 403],
    [reader, 403],
    [ada, 200],
  ] as const)
    expect((await who.call('DELETE', url)).status).toBe(status)
  const gone = async () => (await ada.call('GET', url)).status
  await expect.poll(gone).toBe(404)
})
