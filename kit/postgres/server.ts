import { spawn } from 'node:child_process'
import { open, readFile, realpath, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { PostgresBinaries } from './binaries.ts'
import type { OsUser } from './os-user.ts'
import { findProcess, killAllOf, signal, waitUntil, isTaken, processesOf } from './processes.ts'
import { readForeign } from './files.ts'

export type StartOptions = {
  binaries: PostgresBinaries
  dataDir: string
  /** Holds postgresql.conf, pg_hba.conf and pg_ident.conf; the data directory unless told. */
  configDir?: string
  /** Holds the unix socket; its path must stay below 90 bytes. */
  socketDir: string
  port: number
  /** Listen on 127.0.0.1 too, or on the address that is given. Otherwise the server is reachable by its unix socket alone. */
  tcp: boolean | string
  /** Server settings that win over every configuration file. Visible in the process list: no secrets. */
  settings?: Record<string, string>
  /** What the server says is appended here; the caller keeps its size in bounds. */
  logFile: string
  user?: OsUser | undefined
  /** A command that the program of the server is given to, and that becomes it (by exec); none unless told. */
  through?: readonly string[]
  /** Called with the process at once, before it has children; these end before it when memory does. */
  began?: (pid: number) => Promise<void>
  deadlineMs?: number
}

/**
 * Starts a server and returns once it accepts connections. It runs in a session of its own and outlives this
 * process; `findRunning` finds it again. A lock file left by a dead server is dealt with, a live server is an error.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const dataDir = await realpath(options.dataDir)
  if (await findRunning(dataDir)) throw new Error(`A server already runs in ${dataDir}`)
  await clearLocks({ ...options, dataDir })
  const log = await open(options.logFile, 'a', 0o600)
  try {
    const from = (await log.stat()).size
    const { postgres } = options.binaries
    const command = [...(options.through ?? []), postgres, ...serverArguments(options, dataDir)]
    const child = spawn(command[0] ?? postgres, command.slice(1), {
      cwd: dataDir,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...(options.began && endsFirst) },
      ...options.user,
    })
    let ended: string | undefined
    child.once('error', (error) => (ended = error.message))
    child.once('exit', (code, name) => (ended = `exit ${code ?? name}`))
    child.unref()
    if (child.pid !== undefined) await options.began?.(child.pid)
    let lock: RunningServer | undefined
    await waitUntil(async () => {
      lock = await readLock(dataDir)
      return ended !== undefined || (lock?.ready === true && lock.pid === child.pid)
    }, options.deadlineMs ?? 60_000)
    if (ended === undefined && lock?.ready && lock.pid === child.pid) return lock
    const why = ended ?? 'timeout'
    // What it is started through may still stand before it.
    child.kill('SIGKILL')
    await killAllOf(dataDir)
    const output = (await readFile(options.logFile)).subarray(from).toString('utf8').slice(-2000)
    throw new Error(`Postgres in ${dataDir} did not start (${why}): ${output.trim()}`)
  } finally {
    await log.close()
  }
}

/** When memory ends, so do backends and not the process that watches them, with which all would. */
const endsFirst = { PG_OOM_ADJUST_FILE: '/proc/self/oom_score_adj', PG_OOM_ADJUST_VALUE: '500' }

function serverArguments(options: StartOptions, dataDir: string): string[] {
  const settings = {
    ...options.settings,
    ...(options.configDir === undefined ? {} : filesIn(options.configDir)),
    unix_socket_directories: options.socketDir,
    listen_addresses: options.tcp === true ? '127.0.0.1' : options.tcp || '',
    port: String(options.port),
  }
  const pairs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', dataDir, ...pairs]
}

/** On the command line, which no file of the data directory can say otherwise than. */
const filesIn = (configDir: string) => ({
  config_file: join(configDir, 'postgresql.conf'),
  hba_file: join(configDir, 'pg_hba.conf'),
  ident_file: join(configDir, 'pg_ident.conf'),
})

/** Waits for a server that someone else has started; undefined when it ends or the deadline passes first. */
export async function waitUntilReady(
  dataDir: string,
  deadlineMs: number,
): Promise<RunningServer | undefined> {
  let server: RunningServer | undefined
  await waitUntil(async () => {
    server = await findRunning(dataDir)
    return server?.ready !== false
  }, deadlineMs)
  return server?.ready ? server : undefined
}

/**
 * Ends the server of a data directory, whoever started it, and every process it left behind. `fast` writes everything
 * down first and becomes `immediate` after `deadlineMs`; what still lives after `forceMs` is killed. Nothing running is fine.
 */
export async function stopServer(
  dataDir: string,
  how: { mode: 'fast' | 'immediate'; deadlineMs?: number; forceMs?: number } = { mode: 'fast' },
): Promise<void> {
  const real = await realpath(dataDir).catch(() => dataDir)
  const server = await findRunning(real)
  if (server) {
    const gone = (ms: number) => waitUntil(async () => !(await findProcess(server.pid)), ms)
    if (how.mode === 'fast') signal(server.pid, 'SIGINT')
    if (how.mode === 'immediate' || !(await gone(how.deadlineMs ?? 20_000))) {
      signal(server.pid, 'SIGQUIT')
      await gone(how.forceMs ?? 6_000)
    }
  }
  // A server that ended in good order has waited for its children and removed its lock.
  if ((await readLock(real)) !== undefined) await killAllOf(real)
}

/** The live server of a data directory, or undefined. A lock file alone proves nothing: its pid may be someone else's. */
export async function findRunning(dataDir: string): Promise<RunningServer | undefined> {
  const real = await realpath(dataDir).catch(() => dataDir)
  const lock = await readLock(real)
  if (!lock) return undefined
  const owner = await findProcess(lock.pid)
  return owner?.program === 'postgres' && owner.cwd === real ? lock : undefined
}

export type RunningServer = {
  pid: number
  socketDir: string
  port: number
  /** It listens on an address too, not on its socket alone. */
  tcp: boolean
  ready: boolean
}

/** Reads postmaster.pid: pid, directory, start time, port, socket directory, address, memory key, status. */
async function readLock(dataDir: string): Promise<RunningServer | undefined> {
  const text = (await readForeign(lockOf(dataDir))) ?? ''
  const [pid, , , port, socketDir, address, , status] = text.split('\n')
  if (!Number(pid)) return undefined
  const ready = (status ?? '').trim() === 'ready'
  // The lines are there in their order: the address is written when the server has begun to listen.
  const tcp = (address ?? '').trim() !== ''
  return { pid: Number(pid), port: Number(port), socketDir: socketDir ?? '', tcp, ready }
}

/** Makes way for a server where none runs. Postgres deals with most locks of a dead server by itself; these it refuses. */
async function clearLocks(of: { dataDir: string; socketDir: string; port: number }): Promise<void> {
  await clearDataLock(of.dataDir)
  await clearSocketLock(join(of.socketDir, `.s.PGSQL.${of.port}.lock`))
}

/**
 * After a crash of the server its children may live on and its lock file remains. The server cleans its shared memory
 * by that file, so it stays, unless its pid now belongs to another program or to one that has ended and nobody has reaped,
 * which Postgres takes for a live server, or its server was killed before it had written anything into it.
 */
async function clearDataLock(dataDir: string): Promise<void> {
  const lock = await readLock(dataDir)
  if (lock) {
    await killAllOf(dataDir)
    if (isTaken(lock.pid)) await unlink(lockOf(dataDir))
    return
  }
  const empty = (await readForeign(lockOf(dataDir))) !== undefined
  // A server that somebody else is starting this very moment keeps its lock.
  if (empty && (await processesOf(dataDir)).length === 0) await unlink(lockOf(dataDir))
}

/** The lock beside the socket: empty or of a foreign pid for the same reasons, and nothing hangs on what it says. */
async function clearSocketLock(file: string): Promise<void> {
  const text = await readForeign(file)
  if (text === undefined) return
  const owner = await findProcess(Number(text.split('\n')[0]))
  if (owner?.program !== 'postgres') await unlink(file)
}

const lockOf = (dataDir: string) => join(dataDir, 'postmaster.pid')
