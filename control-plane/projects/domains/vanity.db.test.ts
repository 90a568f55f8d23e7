import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tier } from '#contract/billing/plans'
import { Domains } from '#contract/projects/domains'
import { byHost } from '../../testing/by-host.ts'
import { startWorld, type World } from '../../testing/world.ts'

let world: World
let at: ReturnType<typeof byHost>

beforeAll(async () => {
  world = await startWorld('', { projectUrl: 'https://{ref}.projects.example.net' })
  at = byHost(new URL(world.project.url).origin)
  await setTier('tier_pro')
})
afterAll(() => world.end())

const setTier = (tier: Tier) =>
  world.control.db
    .updateTable('platform.organizations')
    .set({ tier })
    .where('slug', '=', 'acme')
    .execute()
const vanity = (ref = world.ref) => `/platform/projects/${ref}/vanity-subdomain`
const v1 = (ref = world.ref) => `/v1/projects/${ref}/vanity-subdomain`
const get = async (ref = world.ref) =>
  Domains.parse((await world.ada.call('GET', `/platform/projects/${ref}/domains`)).body)
const activate = (name: string, ref = world.ref, who = world.ada) =>
  who.call('POST', `${vanity(ref)}/activate`, { name })
const check = (name: string) => world.ada.call('POST', `${vanity()}/check-availability`, { name })
const settings = (host: string, key = world.project.anonKey) =>
  at(host, '/auth/v1/settings', { apikey: key })
const answers = (host: string, status: number) =>
  expect.poll(async () => (await settings(host)).status).toBe(status)

test('who may not change names is refused', async () => {
  for (const [method, path] of [
    ['POST', `${vanity()}/check-availability`],
    ['POST', `${vanity()}/activate`],
    ['DELETE', vanity()],
    ['POST', `${v1()}/activate`],
    ['DELETE', v1()],
  ] as const) {
    const body = path.startsWith('/v1') ? { vanity_subdomain: 'books' } : { name: 'books' }
    expect((await fetch(`${world.controlUrl}${path}`, { method })).status, path).toBe(401)
    expect((await world.stranger.call(method, path, body)).status, path).toBe(404)
    expect((await world.as('Developer').call(method, path, body)).status, path).toBe(403)
  }
  expect((await world.as('Read-only').call('GET', v1())).body).toEqual({ status: 'not-used' })
})

test('reserved words, references and what is no label are refused; so are all on Free', async () => {
  for (const name of ['www', 'admin', 'functions', 'abcdefghijklmnopqrst', 'a.b', 'x-', 'ab', ''])
    expect((await activate(name)).status, name).toBe(400)
  expect((await check('www')).body).toEqual({
    available: false,
    reason: 'This name is reserved for the platform',
  })
  await setTier('tier_free')
  expect(await activate('books')).toMatchObject({ status: 403, body: { code: 'plan_limit' } })
  expect((await check('books')).status).toBe(403)
  await setTier('tier_pro')
  expect((await world.ada.call('DELETE', vanity())).status).toBe(404)
  expect((await settings('books.projects.example.net')).status).toBe(404)
})

test('a name stands in the place of the ref, for this project alone', async () => {
  expect((await check('Books')).body).toEqual({ available: true, reason: null })
  const host = 'books.projects.example.net'
  expect((await activate('Books')).body).toMatchObject({
    vanity_domain: 'projects.example.net',
    vanity: { name: 'books', url: `https://${host}`, served: true },
  })
  await answers(host, 200)
  await answers(`${world.ref}.projects.example.net`, 200)
  expect((await settings(`x.${host}`)).status).toBe(404)
  expect((await settings(host, 'wrong')).status).toBe(401)
  expect((await at(host, `/${world.ref}/auth/v1/health`)).status).toBe(404)
  const project = (await world.ada.call('GET', `/platform/projects/${world.ref}`)).body
  expect(project).toMatchObject({
    endpoint: `https://${world.ref}.projects.example.net`,
    public_url: `https://${host}`,
  })

  const other = await world.createProject('Films')
  expect(await activate('books', other.ref)).toMatchObject({
    status: 409,
    body: { code: 'name_taken' },
  })
  const asked = { vanity_subdomain: 'books' }
  const taken = await world.ada.call('POST', `${v1(other.ref)}/check-availability`, asked)
  expect(taken).toMatchObject({ status: 201, body: { available: false } })
  expect((await world.ada.call('GET', v1())).body).toEqual({
    status: 'active',
    custom_domain: host,
  })
  const made = await world.ada.call('POST', `${v1(other.ref)}/activate`, {
    vanity_subdomain: 'films',
  })
  expect(made).toMatchObject({
    status: 201,
    body: { custom_domain: 'films.projects.example.net' },
  })
  await expect
    .poll(async () => (await settings('films.projects.example.net', other.anonKey)).status)
    .toBe(200)
  expect((await settings('films.projects.example.net')).status).toBe(401)
})

test('another name frees the first one; so does its end, and a plan without names', async () => {
  expect((await activate('library')).status).toBe(201)
  await answers('library.projects.example.net', 200)
  await answers('books.projects.example.net', 404)
  await setTier('tier_free')
  await world.control.pool.query(`select pg_notify('plinth_projects', '')`)
  await answers('library.projects.example.net', 404)
  expect((await get()).vanity).toMatchObject({ name: 'library', served: false })
  await setTier('tier_pro')
  await world.control.pool.query(`select pg_notify('plinth_projects', '')`)
  await answers('library.projects.example.net', 200)
  expect((await world.ada.call('DELETE', v1())).status).toBe(200)
  await answers('library.projects.example.net', 404)
  expect((await get()).vanity).toBeNull()
})

test('names of their own still answer after the services have started anew', async () => {
  await activate('library')
  await answers('library.projects.example.net', 200)
  await world.restartServices()
  expect((await settings('library.projects.example.net')).status).toBe(200)
})
