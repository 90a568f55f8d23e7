import { afterAll, beforeAll, expect, test } from 'vitest'
import { loginRoles, loginRoleSeconds } from '#contract/database/login-roles'
import { withClient, type Client } from '#kit/postgres/client'
import type { Person } from '../../testing/control-plane.ts'
import { startWorld, type World } from '../../testing/world.ts'

let world: World
let path: string
let port: number

beforeAll(async () => {
  world = await startWorld('create table books (title text)')
  path = `/v1/projects/${world.ref}/cli/login-role`
  port = Number((await world.ada.call('GET', `/platform/projects/${world.ref}`)).body['db_port'])
})
afterAll(() => world.end())

const create = (who: Person, body: object = {}) => who.call('POST', path, body)

/** Through the port of the database, as a program does. */
const enter = <T>(
  { role, password }: Record<string, unknown>,
  work: (client: Client) => Promise<T>,
): Promise<T> =>
  withClient(
    {
      host: '127.0.0.1',
      port,
      user: String(role),
      password: String(password),
      database: 'postgres',
    },
    work,
  )

test('strangers find nothing, and who may only read gets no login that writes', async () => {
  expect((await create(world.stranger, { read_only: false })).status).toBe(404)
  expect((await world.stranger.call('DELETE', path)).status).toBe(404)
  const reader = world.as('Read-only')
  expect((await create(reader, { read_only: false })).status).toBe(403)
  expect((await create(reader)).status).toBe(403)
  expect((await reader.call('DELETE', path)).status).toBe(403)
  expect((await create(world.ada, { read_only: 'yes' })).status).toBe(400)
})

test('a developer signs in with it, becomes postgres, and changes the database', async () => {
  const { status, body } = await create(world.as('Developer'), { read_only: false })
  expect([status, body]).toEqual([
    201,
    { role: loginRoles.owner, password: expect.any(String), ttl_seconds: loginRoleSeconds },
  ])
  await enter(body, async (client) => {
    await client.query('set session role postgres')
    await client.query("insert into books values ('Dune')")
  })
  expect(await world.sql('select title from books')).toEqual([{ title: 'Dune' }])
})

test('who may only read gets one that reads', async () => {
  const { status, body } = await create(world.as('Read-only'), { read_only: true })
  expect([status, body['role']]).toEqual([201, loginRoles.reader])
  await enter(body, async (client) => {
    expect((await client.query('select title from books')).rows).toEqual([{ title: 'Dune' }])
    await client.query('set default_transaction_read_only = off')
    await expect(client.query('delete from books')).rejects.toThrow(/permission denied/)
  })
})

test('the audit log knows who asked, and no password', async () => {
  const { body } = await create(world.ada)
  const entries = await world.control.db
    .selectFrom('platform.audit_entries')
    .select(['action', 'change'])
    .where('action', 'like', 'login-role.%')
    .execute()
  expect(entries).toContainEqual({ action: 'login-role.create', change: { role: body['role'] } })
  expect(JSON.stringify(entries)).not.toContain(String(body['password']))
})

test('a deletion ends them all', async () => {
  const { body } = await create(world.ada)
  const removed = await world.as('Developer').call('DELETE', path)
  expect([removed.status, removed.body]).toEqual([200, { message: 'ok' }])
  await expect(enter(body, (client) => client.query('select 1'))).rejects.toThrow(
    /not permitted to log in|authentication failed/,
  )
})
