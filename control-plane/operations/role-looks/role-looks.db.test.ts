import { afterAll, beforeAll, expect, test } from 'vitest'
import { internalToken } from '../../testing/control-plane.ts'
import { startWorld, type World } from '../../testing/world.ts'
import { roleLookStore } from './store.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.end())

const list = (token: string) =>
  world.control.app.inject({
    method: 'GET',
    url: '/internal/role-looks',
    headers: { authorization: `Bearer ${token}` },
  })

test('nobody but whoever runs the platform sees them', async () => {
  expect((await list('nonsense')).statusCode).toBe(401)
  expect((await world.ada.call('GET', '/internal/role-looks')).status).toBe(401)
})

test('a project that was started was looked at, and nothing was found', async () => {
  await expect
    .poll(async () => (await list(internalToken)).json())
    .toEqual({ projects: 1, looks: [] })
})

test('what the last look has found is kept until the next one', async () => {
  const store = roleLookStore(world.control.db)
  const findings = [
    { found: '"eve" is superuser', repaired: true },
    { found: 'public.door belongs to "supabase_admin"', repaired: false, failure: 'It is held' },
  ]
  await store.keep(world.ref, { findings })
  expect((await list(internalToken)).json()).toMatchObject({
    projects: 1,
    looks: [{ ref: world.ref, name: 'Books', findings, failure: null }],
  })
  await store.keep(world.ref, { findings: [], failure: 'It did not answer' })
  expect((await list(internalToken)).json()).toMatchObject({
    looks: [{ findings: [], failure: 'It did not answer' }],
  })
  await store.keep('abcdefghijklmnopqrst', { findings })
  await world.ada.call('POST', `/platform/projects/${world.ref}/restart`)
  await expect
    .poll(async () => (await list(internalToken)).json())
    .toEqual({ projects: 1, looks: [] })
})
