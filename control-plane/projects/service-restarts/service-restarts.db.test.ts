import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '../../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld('create table book (id int primary key); grant select on book to anon')
})
afterAll(() => world?.end())

const path = (service = 'rest', ref = world.ref) =>
  `/platform/projects/${ref}/services/${service}/restart`
const list = () => `/platform/projects/${world.ref}/service-restarts`
const stateOf = async (service: string) =>
  Object.values((await world.ada.call('GET', list())).body).find(
    (one) => (one as { service: string }).service === service,
  )
const entries = () =>
  world.control.db
    .selectFrom('platform.audit_entries')
    .select(['action', 'target', 'change'])
    .where('action', '=', 'serviceRestarts.restart')
    .orderBy('id')
    .execute()
const setStatus = (status: 'INACTIVE' | 'RESTARTING' | 'ACTIVE_HEALTHY') =>
  world.control.db
    .updateTable('platform.projects')
    .set({ status })
    .where('ref', '=', world.ref)
    .execute()

describe('refused', () => {
  test.each(['db', 'graphql', 'storage', 'nonsense', '__proto__'])(
    '%s is no service that restarts by itself',
    async (service) => {
      expect((await world.ada.call('POST', path(service))).status).toBe(400)
    },
  )

  test('who is not signed in, whose project it is not, and a project that is not there', async () => {
    expect((await fetch(`${world.controlUrl}${path()}`, { method: 'POST' })).status).toBe(401)
    expect((await fetch(`${world.controlUrl}${list()}`)).status).toBe(401)
    expect((await world.stranger.call('POST', path())).status).toBe(404)
    expect((await world.stranger.call('GET', list())).status).toBe(404)
    const none = path('rest', 'abcdefghijklmnopqrst')
    expect((await world.ada.call('POST', none)).status).toBe(404)
  })

  test('members who may only read see when, and restart nothing', async () => {
    const reader = world.as('Read-only')
    expect((await reader.call('GET', list())).status).toBe(200)
    expect((await reader.call('POST', path())).status).toBe(403)
  })

  test.each(['INACTIVE', 'RESTARTING'] as const)('while the project is %s', async (status) => {
    await setStatus(status)
    const answer = await world.ada.call('POST', path())
    expect(answer).toMatchObject({
      status: 409,
      body: { message: 'Services can be restarted only while the project is running' },
    })
    await setStatus('ACTIVE_HEALTHY')
  })

  test('and nothing of it is noted', async () => {
    expect(await entries()).toEqual([])
    expect(await stateOf('rest')).toEqual({ service: 'rest', restarted_at: null })
  })
})

const anonPids = async () =>
  (
    await world.sql(
      `select pid from pg_stat_activity where usename = 'authenticator_anon' order by pid`,
    )
  ).map(({ pid }) => pid)

test('a developer restarts the data API: it connects anew, and the audit log says who did it', async () => {
  const ask = async () =>
    (
      await fetch(`${world.project.url}/rest/v1/book`, {
        headers: { apikey: world.project.anonKey },
      })
    ).status
  expect(await ask()).toBe(200)
  const before = await anonPids()
  expect(before).toHaveLength(1)
  const { status, body } = await world.as('Developer').call('POST', path())
  expect([status, body['service']]).toEqual([200, 'rest'])
  await expect
    .poll(async () => (await anonPids()).filter((pid) => before.includes(pid)))
    .toEqual([])
  expect(await ask()).toBe(200)
  expect(await stateOf('rest')).toEqual(body)
  expect(await stateOf('auth')).toEqual({ service: 'auth', restarted_at: null })
  expect(await entries()).toMatchObject([
    {
      target: `project:${world.ref}`,
      change: { before: { service: 'rest', restarted_at: null }, after: { service: 'rest' } },
    },
  ])
})

test('two restarts at once are two', async () => {
  const both = await Promise.all([
    world.ada.call('POST', path('auth')),
    world.ada.call('POST', path('realtime')),
  ])
  for (const { body } of both) expect(await stateOf(String(body['service']))).toEqual(body)
  expect(await entries()).toHaveLength(3)
})
