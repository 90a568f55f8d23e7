import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from '#kit/postgres/client'
import { waitUntil } from '#kit/postgres/processes'
import { root } from '#kit/root'
import type { DatabaseAddress, Provider } from '../../provider.ts'
import { ask, customer, specOf, testRef } from '../../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../../testing/local.ts'
import { isConnection, loadOfServer } from './server-load.ts'

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

/** What the kernel says that this process has written to disks; NaN where it does not say. */
const ownWritten = () => {
  const io = process.platform === 'linux' ? readFileSync('/proc/self/io', 'utf8') : ''
  return Number(/^write_bytes: (\d+)$/m.exec(io)?.[1] ?? NaN)
}
/** Not every kernel counts, and what lies in memory alone is no disk. */
function countsDisks(file: string): boolean {
  const before = ownWritten()
  writeFileSync(file, Buffer.alloc(2_000_000))
  rmSync(file)
  return ownWritten() > before
}
const file = join(root, 'test-output', `written-${process.pid}`)
mkdirSync(join(root, 'test-output'), { recursive: true })
test.runIf(countsDisks(file))(
  'what was written to the disk stays counted when the process that did it has ended',
  async () => {
    const script = `dd if=/dev/zero of='${file}' bs=100000 count=30 2>&-; echo written; read end`
    const shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] })
    await once(shell.stdout, 'data')
    expect(loadOfServer(shell.pid ?? 0)?.disk?.written).toBeGreaterThanOrEqual(2_900_000)
    const ended = once(shell, 'exit')
    shell.stdin.end('\n')
    await ended
    rmSync(file)
  },
)

test('a restart is another start, and so is a crash of one of its processes', async () => {
  const start = async () => (await load()).start
  const first = await start()
  expect(first).toMatch(/^\d+:\d+$/)
  expect(await start()).toBe(first)
  at = await provider.restart(ref)
  const isOther = (than: string | undefined) =>
    expect.poll(async () => ![undefined, than].includes(await start())).toBe(true)
  await isOther(first)
  const second = await start()
  const { role: user, password } = customer(ref)
  const client = new Client({
    host: at.socketDir,
    port: at.port,
    database: 'postgres',
    user,
    password,
  })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const broken = new Promise<void>((done) => client.once('end', () => done()))
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
  await broken
  await isOther(second)
})

test('a server that is stopped has none', async () => {
  await provider.stop(ref)
  expect(await provider.load?.(ref)).toBeUndefined()
})
