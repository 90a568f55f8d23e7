import { rm } from 'node:fs/promises'
import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { withClient } from '#kit/postgres/client'
import { existingSql } from '#start/tenants'
import { createBareServer } from '../../bench/parts/bare-server.ts'
import { newHome } from '../../journeys/testing/platform.ts'
import type { ProjectSpec } from '../provider.ts'
import { addressOf, createExistingProvider, type ExistingProvider } from './existing.ts'
import { freePort } from '#kit/testing/free-port'

let home: string
let port: number
let server: Awaited<ReturnType<typeof createBareServer>>
let provider: ExistingProvider

const as = (user: string, password: string): ClientConfig => ({
  host: '127.0.0.1',
  port,
  user,
  password,
  database: 'shop & co',
})
const open = (user: string, password: string) =>
  createExistingProvider({
    url: `postgres://${user}:${password}@127.0.0.1:${port}/shop%20%26%20co`,
    ref: 'default',
    ...existingSql(),
    log: silentLog,
  })
const spec = (service: string): ProjectSpec => ({
  ref: 'default',
  passwords: { postgres: 'unused', service, admin: 'unused' },
  limits: { maxConnections: 60 },
})
const ask = (config: ClientConfig, sql: string) =>
  withClient(config, async (client: Client) => {
    const { rows } = await client.query({ text: sql, rowMode: 'array' })
    return rows
  })

beforeAll(async () => {
  home = await newHome()
  port = await freePort()
  server = await createBareServer(home, port)
  await server.init()
  await server.start()
  const bare = { ...as('postgres', 'bare'), database: 'postgres' }
  await ask(bare, 'create database "shop & co"')
  await ask(bare, "create role clerk login createrole password 'clerk'")
  await ask(
    as('postgres', 'bare'),
    "create table orders (id int primary key, item text); insert into orders values (1, 'tea')",
  )
  provider = open('postgres', 'bare')
})
afterAll(async () => {
  await server.stop()
  await rm(home, { recursive: true, force: true })
})

test('a login that cannot make roles is refused in words that say what to change', async () => {
  await expect(open('clerk', 'clerk').create(spec('first'))).rejects.toThrow(
    'DATABASE_URL logs in as clerk, who is no superuser',
  )
  expect(await ask(as('postgres', 'bare'), "select from pg_roles where rolname = 'anon'")).toEqual(
    [],
  )
})

test('the services get in, and nothing that was there is opened to anybody', async () => {
  const address = await provider.create(spec('first'))
  expect(address).toEqual({ socketDir: '127.0.0.1', port, name: 'shop & co' })
  const select = 'select item from orders'
  expect(await ask(as('authenticator_service_role', 'first'), select)).toEqual([['tea']])
  expect(await ask(as('plinth_sql', 'first'), select)).toEqual([['tea']])
  expect(await ask(as('plinth_read_only', 'first'), select)).toEqual([['tea']])
  for (const login of ['authenticator_anon', 'authenticator_authenticated']) {
    await expect(ask(as(login, 'first'), select)).rejects.toThrow('permission denied')
  }
  await expect(ask(as('plinth_read_only', 'first'), 'delete from orders')).rejects.toThrow(
    'read-only transaction',
  )
  expect(await ask(as('authenticator_anon', 'first'), 'select auth.uid()')).toEqual([[null]])
})

test('who may only read sees what the owner makes, and not who the users are, also after another start', async () => {
  const reader = as('plinth_read_only', 'first')
  const users = () => ask(reader, 'select encrypted_password from auth.users')
  await expect(users()).rejects.toThrow('permission denied for table users')
  // As databases are that an earlier version has prepared.
  await ask(as('postgres', 'bare'), 'grant select on all tables in schema auth to plinth_read_only')
  expect(await users()).toEqual([])
  await provider.create(spec('first'))
  await expect(users()).rejects.toThrow('permission denied for table users')
  await ask(as('postgres', 'bare'), 'create table made_later (id int)')
  expect(await ask(reader, 'select from made_later')).toEqual([])
})

test('every start does it again, with a new password, and loses nothing', async () => {
  await ask(as('postgres', 'bare'), "insert into auth.users (email) values ('kept@example.com')")
  await provider.create(spec('second'))
  await provider.create(spec('second'))
  await expect(ask(as('plinth_sql', 'first'), 'select 1')).rejects.toThrow('authentication failed')
  expect(await ask(as('plinth_sql', 'second'), 'select email from auth.users')).toEqual([
    ['kept@example.com'],
  ])
  expect(await ask(as('plinth_sql', 'second'), 'select count(*)::int from orders')).toEqual([[1]])
})

test('a change of tables is told to the data API', async () => {
  const heard = new Promise<string>((resolve, reject) => {
    const client = new Client(as('authenticator', 'second'))
    client.on('notification', ({ payload }) => {
      resolve(payload ?? '')
      void client.end()
    })
    client.on('error', reject)
    client
      .connect()
      .then(() => client.query('listen pgrst'))
      .then(() => ask(as('plinth_sql', 'second'), 'create table more (id int)'))
      .catch(reject)
  })
  expect(await heard).toBe('reload schema')
})

test('it is the operator’s: not stopped, not removed, not swept away', async () => {
  expect(await provider.list()).toEqual([])
  expect(await provider.version()).toMatch(/^17\.\d+$/)
  await expect(provider.stop('default')).rejects.toThrow('run by its operator')
  await expect(provider.destroy('default')).rejects.toThrow('run by its operator')
  await expect(provider.start('abcdefghijklmnopqrst')).rejects.toThrow('No database server')
  expect(await provider.inspect('default')).toMatchObject({ state: 'running' })
  await server.stop()
  expect(await provider.inspect('default')).toMatchObject({ state: 'unknown' })
  expect(await provider.probe('default')).toBe(false)
})

test.each([
  ['postgres://u:p@db.example.com/app?sslmode=require', { tls: 'require', port: 5432 }],
  ['postgres://u:p@db.example.com:6432/app?sslmode=verify-full', { tls: 'verify-full' }],
  ['postgres://u:p@localhost:5433/app?host=/run/pg', { socketDir: '/run/pg', port: 5433 }],
  ['postgresql://u@db', { name: 'postgres', socketDir: 'db' }],
])('%s leads to the right place', (url, place) => {
  expect(addressOf(url)).toMatchObject(place)
})
