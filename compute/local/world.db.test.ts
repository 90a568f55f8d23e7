import { appendFile, chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runsAsRoot } from '#kit/postgres/os-user'
import { findProcess, processesOf } from '#kit/postgres/processes'
import { preparePostgres } from '#kit/postgres/runtime'
import { startServer } from '#kit/postgres/server'
import { newProjectSql } from '#start/tenants'
import { admin, ask, customer, specOf, testRef } from '../testing/conformance-project.ts'
import type { DatabaseAddress, Provider } from '../provider.ts'
import { localHarness, type LocalHarness } from '../testing/local.ts'
import { createServerLogs } from './logs/server-logs.ts'
import { silentLog } from '#kit/log'

let harness: LocalHarness
let provider: Provider
let ref: string
let at: DatabaseAddress
beforeAll(async () => {
  harness = await localHarness()
  provider = harness.provider
  ref = testRef()
  at = await provider.create(specOf(ref))
})
afterAll(() => harness.close())

test('as root each project is a user of its own; nobody else can enter its files or its socket', async () => {
  const other = testRef()
  const otherAt = await provider.create(specOf(other))
  const owners = await Promise.all(
    [ref, other].map(async (each) => stat(join(harness.folder(each), 'data'))),
  )
  for (const { mode } of [...owners, await stat(at.socketDir)]) expect(mode & 0o777).toBe(0o700)
  const uids = new Set([...owners.map(({ uid }) => uid), process.getuid?.()])
  expect(uids.size).toBe(runsAsRoot() ? 3 : 1)
  for (const { pid } of await processesOf(join(harness.folder(ref), 'data')))
    expect((await stat(`/proc/${pid}`)).uid).toBe(owners[0]?.uid)
  expect((await stat(otherAt.socketDir)).uid).toBe(owners[1]?.uid)
  await provider.destroy(other)
})

test('a port that another program has taken is replaced by a free one', async () => {
  await provider.stop(ref)
  // It answers nobody, and lets nobody go.
  const thief = createServer((socket) => socket.resume())
  await new Promise<void>((done) => thief.listen(at.port, '127.0.0.1', done))
  const moved = await provider.start(ref)
  expect(moved.port).not.toBe(at.port)
  expect(await ask(moved, customer(ref), 'select 1')).toBe(1)
  expect(await provider.probe(ref)).toBe(true)
  at = moved
  await new Promise((done) => thief.close(done))
})

test('a port that the gateway holds for the project stays; one that it holds for another does not', async () => {
  let holder = ref
  const gateway = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => socket.end(`${holder}\n`))
  })
  await new Promise<void>((done) => gateway.listen(at.port, '127.0.0.1', done))
  expect(await provider.restart(ref)).toEqual(at)
  holder = testRef()
  const moved = await provider.restart(ref)
  expect(moved.port).not.toBe(at.port)
  at = moved
  await new Promise((done) => gateway.close(done))
})

test('a server that an earlier version has left running, with an address of its own, is replaced; its port stays', async () => {
  await provider.stop(ref)
  const data = join(harness.folder(ref), 'data')
  const { uid, gid } = await stat(data)
  const { binaries } = await preparePostgres(harness.options.home)
  const { socketDir, port } = at
  await mkdir(socketDir, { recursive: true, mode: 0o700 })
  if (runsAsRoot()) await chown(socketDir, uid, gid)
  const before = await startServer({
    binaries,
    dataDir: data,
    configDir: join(harness.folder(ref), 'config'),
    socketDir,
    port,
    tcp: true,
    settings: { shared_preload_libraries: 'pg_stat_statements' },
    logFile: join(harness.folder(ref), 'server.log'),
    ...(runsAsRoot() && { user: { uid, gid } }),
  })
  expect(await ask({ socketDir: '127.0.0.1', port }, customer(ref), 'select 1')).toBe(1)
  await provider.prepare()
  const seen = await provider.inspect(ref)
  expect(seen).toEqual({ state: 'running', address: at })
  expect(await findProcess(before.pid)).toBeUndefined()
  await expect(ask({ socketDir: '127.0.0.1', port }, customer(ref), 'select 1')).rejects.toThrow(
    /ECONNREFUSED/,
  )
  expect(await ask(at, customer(ref), 'select 1')).toBe(1)
})

test('neither the log of the server nor the statistics hold a password, whatever failed', async () => {
  const secret = 'S3cretOfTheCustomer'
  const create = `create role clerk login password '${secret}'`
  await ask(at, customer(ref), create)
  await expect(ask(at, customer(ref), create)).rejects.toThrow(/already exists/)
  await expect(ask(at, customer(ref), `${create} nonsense`)).rejects.toThrow(/unrecognized/)
  const seen = `select count(*)::int from extensions.pg_stat_statements where query like '%${secret}%'`
  expect(await ask(at, admin(ref), seen)).toBe(0)
  const log = await readFile(join(harness.folder(ref), 'server.log'), 'utf8')
  expect(log).toContain('already exists')
  for (const text of [secret, ...Object.values(specOf(ref).passwords)])
    expect(log).not.toContain(text)
})

test('a log that grows too large is cut, and the server goes on writing it', async () => {
  const file = join(harness.folder(ref), 'server.log')
  const handOver = () => Promise.resolve()
  const logs = createServerLogs({
    fileOf: () => file,
    cursorOf: () => `${file}.of-test`,
    handOver,
    log: silentLog,
    maxBytes: 10,
  })
  await logs.round(ref)
  expect((await stat(file)).size).toBe(0)
  await expect(ask(at, { role: 'postgres', password: 'wrong' }, 'select 1')).rejects.toThrow()
  expect(await readFile(file, 'utf8')).toMatch(/^\d{4}-.*password authentication failed/)
  expect((await stat(`${file}.1`)).size).toBeGreaterThan(10)
})

test.each([
  'fsync = off',
  "full_page_writes 'false'",
  'synchronous_commit=off',
  "include '/tmp/x'",
])('a cluster that could lose writes is not started: %s', async (line) => {
  const file = join(harness.folder(ref), 'data', 'postgresql.auto.conf')
  const before = await readFile(file, 'utf8')
  await provider.stop(ref)
  await appendFile(file, `${line}\n`)
  await expect(provider.start(ref)).rejects.toThrow(/Refused to start/)
  expect(await provider.inspect(ref)).toEqual({ state: 'stopped' })
  await writeFile(file, before)
  at = await provider.start(ref)
})

test('a damaged record hurts no other project and never costs data', async () => {
  const damaged = testRef()
  await provider.create(specOf(damaged))
  const file = join(harness.folder(damaged), 'project.json')
  await writeFile(file, '{')
  provider = await harness.reopen()
  expect(await provider.inspect(damaged)).toMatchObject({ state: 'unknown' })
  await expect(provider.start(damaged)).rejects.toThrow(/damaged/)
  await expect(provider.create(specOf(damaged))).rejects.toThrow(/damaged/)
  expect(await provider.probe(ref)).toBe(true)
  await provider.destroy(damaged)
  expect(await harness.tracesOf(damaged)).toEqual([])
})

test('the template and the spare are kept, and made again only when what is in them changes', async () => {
  const { clusters } = await preparePostgres(harness.options.home)
  const before = await readdir(join(clusters, 'templates'))
  provider = await harness.reopen()
  expect(await readdir(join(clusters, 'templates'))).toEqual(before)
  harness.options.newProjectSql = [...newProjectSql(), 'create schema newer']
  provider = await harness.reopen()
  expect(await readdir(join(clusters, 'templates'))).not.toEqual(before)
  const fresh = testRef()
  const newer = await provider.create(specOf(fresh))
  expect(await ask(newer, customer(fresh), "select to_regnamespace('newer')::text")).toBe('newer')
})

test.each([
  ['a folder that only we can enter', '', 0o700],
  ['a path too long for a socket', 'a-folder-with-a-very-long-name/'.repeat(4), 0o711],
] as const)('projects run with their home in %s', async (_, inside, mode) => {
  const elsewhere = await localHarness({ inside, mode, spares: 0 })
  const there = await elsewhere.provider.create(specOf(ref))
  expect(await ask(there, customer(ref), 'select 1')).toBe(1)
  await elsewhere.provider.close()
  const again = await elsewhere.reopen()
  expect(await again.inspect(ref)).toMatchObject({ state: 'running' })
  await elsewhere.close()
})

test('a record that cannot even be read holds up no other project', async () => {
  const bad = testRef()
  const stray = join(harness.folder(bad), '../stray')
  await writeFile(stray, 'no folder')
  await mkdir(join(harness.folder(bad), 'project.json'), { recursive: true })
  provider = await harness.reopen()
  at = await provider.start(ref)
  expect(await ask(at, customer(ref), 'select 1')).toBe(1)
  expect(await provider.inspect(bad)).toMatchObject({ state: 'unknown' })
  expect(await provider.list()).toContain(bad)
  await provider.destroy(bad)
  await rm(stray)
  provider = await harness.reopen()
  expect(await provider.inspect(bad)).toEqual({ state: 'absent' })
})
