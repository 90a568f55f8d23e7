import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from '#kit/postgres/client'
import { waitUntil } from '#kit/postgres/processes'
import type { DatabaseAddress, Provider } from '../provider.ts'
import { ask, customer, specOf, testRef } from '../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../testing/local.ts'
import { isConnection } from './server-load.ts'

/** What a real server uses of this machine, as its processes tell it. */
let harness: LocalHarness
let provider: Provider
let ref: string
let at: DatabaseAddress
beforeAll(async () => {
  harness = await localHarness()
  provider = harness.provider
  await provider.prepare()
  ref = testRef()
  at = await provider.create(specOf(ref))
})
afterAll(() => harness.close())

async function load() {
  const found = await provider.load?.(ref)
  if (!found) throw new Error('The server has no load')
  return found
}
const connectionsAre = (count: number) =>
  expect.poll(async () => (await load()).connections).toBe(count)

test.each([
  ['postgres: anna shop [local] idle', true],
  ['postgres: anna shop 10.0.0.7(51234) SELECT', true],
  ['postgres: anna shop ::1(51234) idle in transaction\0', true],
  ['postgres: checkpointer ', false],
  ['postgres: logical replication launcher ', false],
  ['postgres: autovacuum worker shop', false],
  ['/usr/bin/postgres -D /data', false],
  ['', false],
])('a title is that of a connection, or not: %s', (title, is) => {
  expect(isConnection(title)).toBe(is)
})

test('of a project that nobody has made there is none', async () => {
  expect(await provider.load?.(testRef())).toBeUndefined()
})

test('counts the connections that are open', async () => {
  await connectionsAre(0)
  const { role: user, password } = customer(ref)
  const config = { host: at.socketDir, port: at.port, database: 'postgres', user, password }
  const clients = [new Client(config), new Client(config)]
  await Promise.all(clients.map((client) => client.connect()))
  await connectionsAre(2)
  await Promise.all(clients.map((client) => client.end()))
  await connectionsAre(0)
})

test('the time that a connection has used stays counted when it has ended, and memory is that of processes', async () => {
  const before = await load()
  const used = Number(
    await ask(
      at,
      customer(ref),
      `select count(*) from generate_series(1, 3000000) n where md5(n::text) is not null`,
    ),
  )
  expect(used).toBe(3_000_000)
  await connectionsAre(0)
  expect(
    await waitUntil(async () => (await load()).cpuSeconds > before.cpuSeconds + 0.3, 10_000),
  ).toBe(true)
  const { memoryBytes } = await load()
  expect(memoryBytes).toBeGreaterThan(1024 ** 2)
  expect(memoryBytes).toBeLessThan(512 * 1024 ** 2)
})

test('a server that is stopped has none', async () => {
  await provider.stop(ref)
  expect(await provider.load?.(ref)).toBeUndefined()
})
