import { afterAll, beforeAll, expect, test } from 'vitest'
import { v1Elsewhere } from '#contract/v1/v1-elsewhere'
import { startWorld, type World } from '../testing/world.ts'

/** Addresses that programs of the hosted service know, each of which is answered or refused with its reason. */
let world: World
let v1: string

beforeAll(async () => {
  world = await startWorld()
  v1 = `/v1/projects/${world.ref}`
})
afterAll(() => world.end())

const list = (body: Record<string, unknown>) => Object.values(body)

test.each(Object.values(v1Elsewhere))(
  '$method $path, which only the hosted service has, is refused with its reason',
  async ({ method, path }) => {
    const url = path.replace(':ref', world.ref).replace(':slug', 'acme').replaceAll(/:\w+/g, 'a')
    if (method === 'HEAD') throw new Error('None of them is HEAD')
    expect(await world.ada.call(method, url, method === 'GET' ? undefined : {})).toMatchObject({
      status: 400,
      body: { code: 'not_on_this_installation', message: expect.stringContaining('has no') },
    })
  },
)

test('regions, projects of an organization, buckets, and settings of realtime, as programs know them', async () => {
  const { body: places } = await world.ada.call('GET', '/v1/projects/available-regions')
  expect(places).toMatchObject({
    recommendations: { smartGroup: { type: 'smartGroup' } },
    all: { specific: expect.arrayContaining([expect.objectContaining({ code: 'eu-central-1' })]) },
  })
  const ofOrganization = '/v1/organizations/acme/projects'
  expect((await world.stranger.call('GET', ofOrganization)).status).toBe(404)
  expect((await world.as('Read-only').call('GET', `${ofOrganization}?limit=5`)).body).toMatchObject(
    {
      projects: [{ ref: world.ref, is_branch: false }],
      pagination: { count: 1, limit: 5, offset: 0 },
    },
  )
  await world.sql("insert into storage.buckets (id, name) values ('covers', 'covers')")
  const buckets = `${v1}/storage/buckets`
  expect((await world.stranger.call('GET', buckets)).status).toBe(404)
  expect(list((await world.ada.call('GET', buckets)).body)).toEqual([
    {
      id: 'covers',
      name: 'covers',
      owner: '',
      public: false,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  ])
  const realtime = `${v1}/config/realtime`
  expect((await world.as('Read-only').call('PATCH', realtime, { suspend: true })).status).toBe(403)
  expect((await world.ada.call('PATCH', realtime, { private_only: true })).body).toMatchObject({
    private_only: true,
  })
  expect((await world.ada.call('GET', realtime)).body).toMatchObject({ private_only: true })
})

test('a parameter can be changed by itself, and the password of the database', async () => {
  const path = `${v1}/config/database/postgres`
  await world.ada.call('PUT', path, { work_mem: '8MB', statement_timeout: '55s' })
  expect((await world.ada.call('PATCH', path, { work_mem: '9MB' })).body).toEqual({
    work_mem: '9MB',
    statement_timeout: '55s',
  })
  expect((await world.ada.call('PATCH', path, { shared_buffers: '1GB' })).status).toBe(400)
  await world.ada.call('PUT', path, {})
  const set = (who = world.ada) =>
    who.call('PATCH', `${v1}/database/password`, { password: 'granite seven under water' })
  expect((await set(world.as('Read-only'))).status).toBe(403)
  expect(await set()).toMatchObject({
    status: 200,
    body: { message: 'Successfully updated password' },
  })
})

test('a project is started anew', async () => {
  const restart = (who = world.ada) => who.call('POST', `${v1}/restart`)
  expect((await restart(world.as('Read-only'))).status).toBe(403)
  expect(await restart()).toMatchObject({ status: 200, body: { ref: world.ref } })
})
