import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serviceRoles } from '#compute/provider'
import { holderOf } from '#kit/postgres/port-question'
import { isScramVerifier } from '#kit/postgres/scram'
import { createSecrets } from '#kit/secrets'
import { secretsOf } from '../../projects/projects/spec.ts'
import { internalToken } from '../../testing/control-plane.ts'
import { startWorld, type World } from '../../testing/world.ts'

const secrets = createSecrets(randomBytes(32))
let world: World
let thief: Server | undefined
beforeAll(async () => {
  world = await startWorld('', { secrets, poolerPorts: { session: 5433, transaction: null } })
})
afterAll(async () => {
  thief?.close()
  await world.end()
})

const detail = async () => (await world.ada.call('GET', `/platform/projects/${world.ref}`)).body
const port = async () => Number((await detail())['db_port'])
const reaches = (status: string) =>
  expect.poll(async () => (await detail())['status'], { timeout: 60_000 }).toBe(status)
type Login = { user?: string; password?: string; replication?: string }
/** 'in', or why not. */
async function enter(login: Login = {}): Promise<string> {
  const at = { host: '127.0.0.1', port: await port(), database: 'postgres' }
  const client = new Client({ ...at, user: 'postgres', password: world.password, ...login })
  // Told by `connect` already.
  client.on('error', () => undefined)
  return client.connect().then(
    () => client.end().then(() => 'in'),
    (error: unknown) => String(error),
  )
}
test('who may not know of ports is not told', async () => {
  const url = '/internal/database-ports'
  expect((await world.control.app.inject({ url })).statusCode).toBe(401)
  const wrong = { authorization: 'Bearer wrong' }
  expect((await world.control.app.inject({ url, headers: wrong })).statusCode).toBe(401)
  const data = `${new URL(world.project.url).origin}${url}`
  expect((await fetch(data, { method: 'POST' })).status).toBe(401)
})

test('the port is open as soon as the project is said to be up', async () => {
  expect(await enter()).toBe('in')
  expect(await holderOf(await port())).toBe(world.ref)
  const authorization = `Bearer ${internalToken}`
  const { body } = await world.control.app.inject({
    url: '/internal/database-ports',
    headers: { authorization },
  })
  expect(JSON.parse(body)).toEqual([
    {
      ref: world.ref,
      port: await port(),
      host: expect.any(String),
      connections: 61,
      pool: { size: 15, clients: 200 },
      networks: null,
      ssl_enforced: false,
      paused: null,
      replicas: [],
    },
  ])
})

test('what the server keeps of the password of a role of the customer is told to our own programs, and of nobody else', async () => {
  const ask = async (role: string, of = world.ref, token = internalToken) => {
    const url = `/internal/projects/${of}/password-verifier?role=${encodeURIComponent(role)}`
    const headers = { authorization: `Bearer ${token}` }
    const { statusCode, body } = await world.control.app.inject({ url, headers })
    return statusCode === 200 ? JSON.parse(body).verifier : statusCode
  }
  expect(await ask('postgres', world.ref, 'wrong')).toBe(401)
  for (const role of [
    'supabase_admin',
    ...serviceRoles,
    'dashboard_user',
    'anon',
    'nobody',
    `' or true --`,
  ])
    expect(await ask(role), role).toBeNull()
  expect(await ask('postgres', 'thereisnosuchproject')).toBeNull()
  expect(isScramVerifier(await ask('postgres'))).toBe(true)
  const client = new Client({
    host: '127.0.0.1',
    port: await port(),
    user: 'postgres',
    password: world.password,
    database: 'postgres',
  })
  await client.connect()
  await client.query(`create role late login password 'x' valid until '2001-01-01'`)
  expect(await ask('late')).toBeNull()
  await client.query(
    `set password_encryption = 'md5'; alter role late password 'x' valid until 'infinity'`,
  )
  expect(await ask('late')).toBe('other')
  await client.query('drop role late')
  await client.end()
})

test('members are told of the port, and why it is not open; others are not', async () => {
  const url = `/platform/projects/${world.ref}/database-port`
  expect((await world.stranger.call('GET', url)).status).toBe(404)
  expect((await world.control.app.inject({ url })).statusCode).toBe(401)
  const read = async () => (await world.as('Read-only').call('GET', url)).body
  const own = await port()
  const pooler = { session: 5433, transaction: null, size: 15, clients: 200 }
  expect(await read()).toEqual({ port: own, problem: null, pooler })
  await world.restartServices(async () => {
    const away = 'The service that takes connections does not answer at the moment'
    expect(await read()).toEqual({ port: own, problem: away, pooler })
    // Somebody who comes first.
    thief = createServer((socket) => socket.destroy()).listen(own, '127.0.0.1')
    await once(thief, 'listening')
  })
  await expect.poll(read).toMatchObject({ problem: expect.stringContaining('in use by another') })
  // What it says helps.
  await world.ada.call('POST', `/platform/projects/${world.ref}/restart`)
  await reaches('ACTIVE_HEALTHY')
  const moved = await port()
  expect(moved).not.toBe(own)
  expect(await read()).toEqual({ port: moved, problem: null, pooler })
  expect(await enter()).toBe('in')
})

test('every login that the server refused over TCP is refused', async () => {
  const { servicePassword, adminPassword } = await passwords()
  expect(await enter({ user: 'supabase_admin', password: adminPassword })).toMatch(
    /role "supabase_admin" is not permitted/,
  )
  for (const replication of ['true', 'on', '1']) {
    const login = { user: 'supabase_admin', password: adminPassword, replication }
    expect(await enter(login)).toMatch(/not permitted/)
    expect(await enter({ replication })).toMatch(/no pg_hba\.conf entry for replication/)
  }
  for (const user of serviceRoles) {
    for (const password of ['', user, world.password])
      expect(await enter({ user, password }), user).toMatch(/password/)
    expect(await enter({ user, password: servicePassword, replication: 'true' })).toMatch(
      /no pg_hba\.conf entry for replication/,
    )
  }
  for (const user of ['anon', 'authenticated', 'service_role', 'dashboard_user'])
    expect(await enter({ user }), user).toMatch(/authentication failed|not permitted/)
  expect(await enter({ password: 'postgres' })).toMatch(/authentication failed/)
})

/** Those that the platform keeps of the project. */
async function passwords() {
  const row = await world.control.db
    .selectFrom('platform.projects')
    .select(['ref', 'sealed_secrets'])
    .where('ref', '=', world.ref)
    .executeTakeFirstOrThrow()
  return secretsOf(secrets, row)
}

test('a restart keeps the port, and so does one of the services', async () => {
  const before = await port()
  expect(
    (await world.ada.call('POST', `/platform/projects/${world.ref}/restart`)).status,
  ).toBeLessThan(300)
  await reaches('ACTIVE_HEALTHY')
  expect(await port()).toBe(before)
  expect(await enter()).toBe('in')
  await world.restartServices(async () => {
    expect(await enter()).toContain('ECONNREFUSED')
  })
  await expect.poll(() => enter()).toBe('in')
})

test('at the port of a paused project people hear that it is, which is no use of it; resumed it has the same one again', async () => {
  const before = await port()
  await world.ada.call('POST', `/platform/projects/${world.ref}/pause`)
  await reaches('INACTIVE')
  const client = new Client({ host: '127.0.0.1', port: before, user: 'postgres', password: 'any' })
  client.on('error', () => undefined)
  const error: unknown = await client.connect().catch((caught: unknown) => caught)
  expect(error).toMatchObject({
    code: '57P03',
    message: expect.stringContaining('the project is paused'),
    hint: `http://localhost:8000/project/${world.ref}`,
  })
  expect(await holderOf(before)).toBe(world.ref)
  expect((await detail())['status']).toBe('INACTIVE')
  await world.ada.call('POST', `/platform/projects/${world.ref}/restore`)
  await reaches('ACTIVE_HEALTHY')
  expect(await port()).toBe(before)
  expect(await enter()).toBe('in')
})
