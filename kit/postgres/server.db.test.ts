import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { locateBinaries, type PostgresBinaries } from './binaries.ts'
import { withClient } from './client.ts'
import { initCluster } from './cluster.ts'
import { namedUnprivilegedUser, runsAsRoot, type OsUser } from './os-user.ts'
import { acceptsConnections } from './ping.ts'
import { findProcess, processesOf, signal, waitUntil } from './processes.ts'
import { runnableBinaries } from './runtime.ts'
import { findRunning, startServer, stopServer, type StartOptions } from './server.ts'

let folder: string
let options: StartOptions
beforeAll(async () => {
  const user: OsUser | undefined = runsAsRoot() ? await namedUnprivilegedUser() : undefined
  const binaries: PostgresBinaries = await runnableBinaries(await locateBinaries(), undefined, user)
  folder = await mkdtemp(join(tmpdir(), 'plinth-server-'))
  await chmod(folder, 0o711)
  const [dataDir, socketDir] = [join(folder, 'data'), join(folder, 's')]
  await mkdir(socketDir, { mode: 0o700 })
  if (user) await chown(socketDir, user.uid, user.gid)
  await initCluster({ binaries, dataDir, superuser: 'admin', password: 'pw', user, noSync: true })
  const logFile = join(folder, 'server.log')
  options = { binaries, dataDir, socketDir, port: 5432, tcp: false, logFile, user }
})
afterEach(() => stopServer(options.dataDir, { mode: 'immediate' }))
afterAll(() => rm(folder, { recursive: true, force: true }))

const login = () => ({
  host: options.socketDir,
  port: 5432,
  user: 'admin',
  password: 'pw',
  database: 'postgres',
})
const query = (sql: string) => withClient(login(), (client) => client.query(sql))

/** A session that only computes: it would not notice for ever that its postmaster has gone. */
async function startEndlessLoop(): Promise<void> {
  const loop = 'do $$ begin loop perform 1; end loop; end $$'
  query(loop).catch(() => undefined)
  const busy = async () => {
    const sql = "select from pg_stat_activity where query like 'do%' and state = 'active'"
    return (await query(sql)).rowCount === 1
  }
  expect(await waitUntil(busy, 5000)).toBe(true)
}

test('a started server answers, is found again and ends without a trace', async () => {
  const started = await startServer(options)
  expect(started.ready).toBe(true)
  expect(await acceptsConnections(options)).toBe(true)
  expect(await findRunning(options.dataDir)).toEqual(started)
  await expect(startServer(options)).rejects.toThrow(/already runs/)
  await stopServer(options.dataDir)
  expect(await findRunning(options.dataDir)).toBeUndefined()
  expect(await processesOf(options.dataDir)).toEqual([])
  expect(await acceptsConnections(options)).toBe(false)
  await stopServer(options.dataDir)
})

test('a server that cannot start says why and leaves nothing', async () => {
  const settings = { shared_buffers: 'plenty' }
  await expect(startServer({ ...options, settings })).rejects.toThrow(/shared_buffers.*plenty/s)
  // It stands still before it is a server.
  const through = ['/bin/sh', '-c', 'kill -s STOP $$; exec "$@"', 'sh']
  let first = 0
  const began = (pid: number) => {
    first = pid
    return Promise.resolve()
  }
  await expect(startServer({ ...options, through, began, deadlineMs: 1 })).rejects.toThrow(
    /timeout/,
  )
  await expect.poll(() => findProcess(first)).toBeUndefined()
  expect(await processesOf(options.dataDir)).toEqual([])
})

test('children that outlive a killed postmaster are found, and ended by the next start', async () => {
  const { pid } = await startServer(options)
  await startEndlessLoop()
  signal(pid, 'SIGKILL')
  expect(await waitUntil(async () => !(await findProcess(pid)), 5000)).toBe(true)
  expect(await findRunning(options.dataDir)).toBeUndefined()
  const strays = await processesOf(options.dataDir)
  expect(strays.length).toBeGreaterThan(0)
  await startServer(options)
  for (const stray of strays) expect(await findProcess(stray.pid)).toBeUndefined()
  await query('select 1')
})

test('stop ends what a killed postmaster left', async () => {
  const { pid } = await startServer(options)
  await startEndlessLoop()
  signal(pid, 'SIGKILL')
  await waitUntil(async () => !(await findProcess(pid)), 5000)
  await stopServer(options.dataDir)
  expect(await processesOf(options.dataDir)).toEqual([])
})

test('a server that does not react is ended by force', async () => {
  const { pid } = await startServer(options)
  signal(pid, 'SIGSTOP')
  await stopServer(options.dataDir, { mode: 'fast', deadlineMs: 50, forceMs: 50 })
  expect(await findProcess(pid)).toBeUndefined()
  expect(await processesOf(options.dataDir)).toEqual([])
})

test('a lock file whose pid belongs to another program neither misleads nor hinders', async () => {
  const { pid } = await startServer(options)
  const file = join(options.dataDir, 'postmaster.pid')
  const lock = await readFile(file, 'utf8')
  await stopServer(options.dataDir)
  const other = spawn('sleep', ['60'], { ...options.user, cwd: '/', stdio: 'ignore' })
  await writeFile(file, lock.replace(String(pid), String(other.pid)))
  expect(await findRunning(options.dataDir)).toBeUndefined()
  await startServer(options)
  expect(other.exitCode).toBeNull()
  expect(await findProcess(other.pid ?? 0)).toBeDefined()
  other.kill()
})

test('a lock file whose pid nobody has reaped yet does not hinder', async () => {
  const { pid } = await startServer(options)
  const file = join(options.dataDir, 'postmaster.pid')
  const lock = await readFile(file, 'utf8')
  await stopServer(options.dataDir)
  // What becomes `sleep` has a child that it never asks after, as the first process of some containers does.
  const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60'], {
    ...options.user,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = Number(String(await once(parent.stdout, 'data')))
  expect(await waitUntil(async () => !(await findProcess(ended)), 5000)).toBe(true)
  expect(() => process.kill(ended, 0)).not.toThrow()
  await writeFile(file, lock.replace(String(pid), String(ended)))
  await startServer(options)
  parent.kill()
})

test('locks that a killed server left empty, or whose pid is of another program, do not hinder', async () => {
  const socketLock = join(options.socketDir, '.s.PGSQL.5432.lock')
  const { pid } = await startServer(options)
  const lockFile = await readFile(socketLock, 'utf8')
  await stopServer(options.dataDir)
  await writeFile(socketLock, '')
  await writeFile(join(options.dataDir, 'postmaster.pid'), '')
  await startServer(options)
  await stopServer(options.dataDir)
  await writeFile(socketLock, lockFile.replace(String(pid), String(process.ppid)))
  await startServer(options)
  await query('select 1')
})
