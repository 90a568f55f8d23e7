import { fork, type ChildProcess } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ask, customer, specOf, testRef } from '#compute/testing/conformance-project'
import { grantedProjectSql } from '#compute/testing/granted-project-sql'
import { createLocalProvider } from '#compute/local/local'
import type { DatabaseAddress } from '#compute/provider'
import { ProjectConnection } from '#contract/internal'
import { createDataPlane } from '#data-plane/app'
import { fixedDirectory } from '#data-plane/testing/fixed-directory'
import { silentLog } from '#kit/log'
import { processesOf } from '#kit/postgres/processes'
import type { Measured } from './compare.ts'

/** What the control plane would show to the internal calls of the data plane. */
export const internalToken = 'a benchmark token'
const jwtSecret = 'a benchmark secret that is long enough'

/** A token of the served project, good for ten hours. */
export function token(claims: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + 36_000
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ ...claims, exp })}`
  return `${signed}.${createHmac('sha256', jwtSecret).update(signed).digest('base64url')}`
}

const realtime = {
  maxConcurrentUsers: 50_000,
  maxEventsPerSecond: 50_000,
  maxBytesPerSecond: 10_000_000,
  maxJoinsPerSecond: 5000,
}

function connectionOf(ref: string, at: DatabaseAddress): ProjectConnection {
  return ProjectConnection.parse({
    ref,
    status: 'ACTIVE_HEALTHY',
    database: { host: at.socketDir, port: at.port, servicePassword: specOf(ref).passwords.service },
    jwtSecret,
    sealingKey: '0'.repeat(64),
    anonKey: token({ role: 'anon', ref }),
    serviceKey: token({ role: 'service_role', ref }),
    url: 'http://127.0.0.1',
    // Limits are not what is measured.
    settings: { realtime },
  })
}

type More = Pick<Parameters<typeof createDataPlane>[0], 'functions' | 'storage' | 'logs'>

/** The child: serves projects, which its parent describes, until it is ended; with what `more` of it is measured. */
export function serve(more: More = {}): void {
  process.once('message', (message) => void listen(message, more))
}

/** Another program like it, with what `role` says in its second word, that serves the same projects. */
export async function serveBeside(
  file: string,
  role: string,
  projects: ProjectConnection[],
): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(file, ['serve', role])
  child.send(projects)
  const [address] = await once(child, 'message')
  return { child, port: address.port }
}

async function listen(message: unknown, more: More): Promise<void> {
  const app = createDataPlane({
    directory: fixedDirectory(ProjectConnection.array().parse(message)),
    internalToken,
    mailFrom: 'nobody',
    keepMail: () => Promise.resolve(),
    imports: { folder: join(tmpdir(), `plinth-imports-${process.pid}`) },
    // The load may say where it comes from: limits per address are not what is measured.
    trustedProxies: ['127.0.0.1'],
    log: silentLog,
    ...more,
  })
  process.once('SIGTERM', () => void app.close().finally(() => process.exit()))
  await app.listen({ host: '127.0.0.1', port: 0 })
  process.send?.(app.server.address())
}

/** A program that the benchmark started itself. */
type Program = { pid?: number | undefined }

export type ServedProject = {
  connection: ProjectConnection
  /** Of its database. */
  at: DatabaseAddress
  port: number
  /** Of the program that serves it. */
  pid: number | undefined
  /** Runs `load`; `value` is what it counted per second, processor time is per count. */
  measure(who: 'ours' | 'driver' | Program, load: () => Promise<number>): Promise<Measured>
}

/**
 * A project in a database of its own, prepared by `setup`, served by a program of its own: this same file, started
 * with `serve`. The program and the database are ended when `work` is done.
 */
export async function withServedProject(
  setup: string[],
  work: (project: ServedProject) => Promise<void>,
  /** Other projects that the same program serves. */
  beside: (connection: ProjectConnection) => Promise<ProjectConnection[]> = () =>
    Promise.resolve([]),
): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  await chmod(home, 0o711)
  const provider = createLocalProvider({
    home,
    migrations: [],
    newProjectSql: await grantedProjectSql(),
    log: silentLog,
    spares: 0,
  })
  const ref = testRef()
  const child = fork(fileURLToPath(import.meta.url), ['serve'])
  try {
    await provider.prepare()
    const at = await provider.create(specOf(ref))
    await ask(at, customer(ref), ...setup)
    const dataDir = await realpath(join(home, 'clusters', 'projects', ref, 'data'))
    const connection = connectionOf(ref, at)
    child.send([connection, ...(await beside(connection))])
    const [address] = await once(child, 'message')
    await work({
      connection,
      at,
      port: address.port,
      pid: child.pid,
      measure: (who, load) =>
        measure(dataDir, who === 'ours' ? child : who === 'driver' ? undefined : who, load),
    })
  } finally {
    child.kill()
    await provider.destroy(ref)
    await provider.close()
    await rm(home, { recursive: true, force: true })
  }
}

async function measure(
  dataDir: string,
  program: Program | undefined,
  load: () => Promise<number>,
): Promise<Measured> {
  const before = await ticks(dataDir, program)
  const own = process.cpuUsage()
  const start = performance.now()
  const count = await load()
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(own)
  const used =
    ((await ticks(dataDir, program)) - before) * 10 + (program ? 0 : (user + system) / 1000)
  return { value: count / seconds, cpuMs: used / count }
}

/** Hundredths of a second of the project's server, ended backends included, and of the program. */
async function ticks(dataDir: string, program: Program | undefined): Promise<number> {
  const pids = (await processesOf(dataDir)).map((p) => p.pid)
  if (program?.pid) pids.push(program.pid)
  let sum = 0
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    sum += [11, 12, 13, 14].reduce((total, index) => total + Number(fields[index] ?? 0), 0)
  }
  return sum
}
