import { afterAll, beforeAll, expect, test } from 'vitest'
import { serviceConnections } from '#contract/projects/compute-sizes'
import { Client } from '#kit/postgres/client'
import type { DatabaseAddress } from '../provider.ts'
import {
  admin,
  ask,
  customer,
  service,
  specOf,
  testRef,
  type Login,
} from '../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../testing/local.ts'

/** A customer's program that takes every connection it can get, and gives none back. */
let harness: LocalHarness
let at: DatabaseAddress
const ref = testRef()
const direct = specOf(ref).limits.maxConnections
const held: Client[] = []

async function open({ role: user, password }: Login): Promise<Client> {
  const client = new Client({
    host: at.socketDir,
    port: at.port,
    user,
    password,
    database: 'postgres',
  })
  await client.connect()
  held.push(client)
  return client
}
/** What the server says to the one that comes after `most` others, or to the first that it does not take. */
async function refusal(login: Login, max: number): Promise<string | undefined> {
  for (let count = 0; count <= max; count++) {
    try {
      await open(login)
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  return undefined
}

beforeAll(async () => {
  harness = await localHarness()
  await harness.provider.prepare()
  await harness.provider.create(specOf(ref))
  at = await harness.provider.start(ref)
})
afterAll(async () => {
  await Promise.all(held.map((client) => client.end()))
  await harness.close()
})

test('a customer has every direct connection of its size, and then the refusal of Postgres', async () => {
  const message = await refusal(customer(ref), direct)
  expect(held).toHaveLength(direct)
  expect(message).toMatch(/remaining connection slots are reserved/)
})

test('every service still has the places that it may share with the others', async () => {
  const logins = [
    'authenticator_anon',
    'authenticator_authenticated',
    'authenticator_service_role',
    'supabase_auth_admin',
    'plinth_storage',
    'plinth_realtime',
    'plinth_sql',
    'plinth_read_only',
  ]
  const max = serviceConnections(direct)
  for (let count = 0; count < max; count++)
    await open(service(ref, logins[count % logins.length] ?? ''))
  expect(held).toHaveLength(direct + max)
})

test('and what runs can still be looked at and stopped', async () => {
  const busy = held[0]
  if (!busy) throw new Error('The customer has no connection')
  const running = busy.query('select pg_sleep(60)').then(
    () => 'done',
    (error: Error) => error.message,
  )
  const stop = () =>
    ask(
      at,
      service(ref, 'plinth_sql'),
      "select count(pg_cancel_backend(pid))::int from pg_stat_activity where query = 'select pg_sleep(60)'",
    )
  await expect.poll(stop).toBe(1)
  expect(await running).toMatch(/canceling statement/)
  expect(await ask(at, admin(ref), 'select 1')).toBe(1)
})

test('what a customer grants itself opens no place of the platform', async () => {
  const one = held[0]
  await expect(one?.query('grant pg_use_reserved_connections to postgres')).rejects.toThrow(
    /permission denied/,
  )
})
