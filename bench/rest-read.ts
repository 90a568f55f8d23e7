import { fork, type ChildProcess } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { ask, customer, service, specOf, testRef } from '#compute/conformance-project'
import { projectSql } from '#compute/local/harness'
import { createLocalProvider } from '#compute/local/local'
import type { DatabaseAddress } from '#compute/provider'
import { ProjectConnection } from '#contract/internal'
import { createDataPlane } from '#data-plane/app'
import { fixedDirectory } from '#data-plane/projects/fixed-directory'
import { silentLog } from '#kit/log'
import { processesOf } from '#kit/postgres/processes'
import { compare, type Measured } from './compare.ts'
import { httpLoad } from './http-load.ts'

/**
 * The data API's commonest request, one row by its primary key as a signed-in user under row level security, against the
 * same SQL sent by a bare driver as pgbench would: BEGIN, settings, SELECT and COMMIT, each a round trip, all prepared.
 * Processor time is that of the server program and Postgres, or of the driver and Postgres.
 */
const [rows, connections, roundMs] = [100_000, 8, 4000]
const userId = '4b5fbc0c-5a3c-4b2e-9d4a-0c1b2d3e4f50'
const jwtSecret = 'a benchmark secret that is long enough'
const anyId = () => 1 + Math.floor(Math.random() * rows)

const setup = [
  'create table books (id int primary key, owner uuid not null, title text, pages int, added timestamptz)',
  `insert into books select i, '${userId}', 'Title ' || i, i % 900, now() from generate_series(1, ${rows}) i`,
  'alter table books enable row level security',
  'create policy own on books using (owner = (select auth.uid()))',
]

function token(claims: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + 36_000
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ ...claims, exp })}`
  return `${signed}.${createHmac('sha256', jwtSecret).update(signed).digest('base64url')}`
}

function connectionOf(ref: string, at: DatabaseAddress): ProjectConnection {
  return ProjectConnection.parse({
    ref,
    status: 'ACTIVE_HEALTHY',
    database: { host: at.socketDir, port: at.port, servicePassword: specOf(ref).passwords.service },
    jwtSecret,
    anonKey: token({ role: 'anon', ref }),
    serviceKey: token({ role: 'service_role', ref }),
    url: 'http://127.0.0.1',
    settings: {},
  })
}

/** The child: serves one project, which its parent describes, until it is ended. */
function serve(): void {
  process.once('message', (message) => void listen(message))
}

async function listen(message: unknown): Promise<void> {
  const app = createDataPlane({
    directory: fixedDirectory([ProjectConnection.parse(message)]),
    internalToken: token({}),
    mailFrom: 'nobody',
    keepMail: () => Promise.resolve(),
    log: silentLog,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  process.send?.(app.server.address())
}

async function main(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  await chmod(home, 0o711)
  const provider = createLocalProvider({
    home,
    projectSql: await projectSql(),
    log: silentLog,
    spares: 0,
  })
  const ref = testRef()
  const child = fork(fileURLToPath(import.meta.url), ['serve'])
  try {
    await provider.prepare()
    const at = await provider.create(specOf(ref))
    await ask(at, customer(ref), ...setup, 'vacuum analyze books')
    const dataDir = await realpath(join(home, 'clusters', 'projects', ref, 'data'))
    const connection = connectionOf(ref, at)
    child.send(connection)
    const [address] = await once(child, 'message')
    const load = requests(connection)
    await compare('rest-read', {
      ours: () =>
        measure(dataDir, child, () =>
          httpLoad({ host: '127.0.0.1', port: address.port }, connections, roundMs, load),
        ),
      baseline: () => measure(dataDir, undefined, () => driverLoad(at, ref)),
    })
  } finally {
    child.kill()
    await provider.destroy(ref)
    await provider.close()
    await rm(home, { recursive: true, force: true })
  }
}

function requests({ ref, anonKey }: ProjectConnection): () => string {
  const user = token({
    role: 'authenticated',
    sub: userId,
    email: 'ada@example.com',
    aud: 'authenticated',
  })
  const rest = ` HTTP/1.1\r\nHost: localhost\r\napikey: ${anonKey}\r\nAuthorization: Bearer ${user}\r\nAccept: */*\r\nX-Client-Info: supabase-js-node/2.109.0\r\n\r\n`
  return () => `GET /${ref}/rest/v1/books?select=id,title,pages&id=eq.${anyId()}${rest}`
}

const settings = [
  'role',
  'request.jwt.claims',
  'request.method',
  'request.path',
  'request.headers',
  'request.cookies',
  'statement_timeout',
  'search_path',
  'transaction_read_only',
]
const settingsSql = `select ${settings.map((name, i) => `set_config('${name}', $${i + 1}, true)`).join(', ')}`
const readSql = `select coalesce(json_agg(r), '[]')::text, count(*) from (
  select books.id, books.title, books.pages from public.books where books.id = $1 limit 1000) r`

/** Average transactions per second of bare connections. */
async function driverLoad(at: DatabaseAddress, ref: string): Promise<number> {
  const { role: user, password } = service(ref, 'authenticator_authenticated')
  const claims = JSON.stringify({ role: 'authenticated', sub: userId, email: 'ada@example.com' })
  const headers = JSON.stringify({ host: 'localhost', accept: '*/*', apikey: 'x'.repeat(150) })
  const values = [
    'authenticated',
    claims,
    'GET',
    '/books',
    headers,
    '{}',
    '8s',
    '"public", "extensions"',
    'on',
  ]
  const end = performance.now() + roundMs
  const counts = Array.from({ length: connections }, async () => {
    const client = new Client({
      host: at.socketDir,
      port: at.port,
      database: 'postgres',
      user,
      password,
    })
    client.on('error', () => undefined)
    await client.connect()
    let count = 0
    for (; performance.now() < end; count++) {
      await client.query({ name: 'begin', text: 'begin' })
      await client.query({ name: 'settings', text: settingsSql, values })
      await client.query({ name: 'read', text: readSql, values: [anyId()] })
      await client.query({ name: 'commit', text: 'commit' })
    }
    await client.end()
    return count
  })
  return (await Promise.all(counts)).reduce((a, b) => a + b, 0)
}

/** `value` is requests per second; processor time is per request. */
async function measure(
  dataDir: string,
  program: ChildProcess | undefined,
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
async function ticks(dataDir: string, program: ChildProcess | undefined): Promise<number> {
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

if (process.argv[2] === 'serve') serve()
else await main()
