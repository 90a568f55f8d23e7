import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { freePort } from '#kit/testing/free-port'
import { processesOf } from '#kit/postgres/processes'
import { poolerRef, startPooler } from '#data-plane/testing/pooler'
import { createBareServer } from './parts/bare-server.ts'
import { compare, type Measured } from './parts/compare.ts'
import { cpuOf } from './parts/platform.ts'

/**
 * Transactions through the pooler in transaction mode against the same over connections of one's own: clients read one row by its
 * key, prepared. `ratio` is of transactions per second of processor time of all that take part: clients, pooler and server. First as
 * many clients as there are connections, so that each gets its own again; then twice as many, where each connection goes from one
 * client to another and is reset in between. The last line is what a client costs that waits for nothing: bytes of memory of the pooler's process for
 * each of 5,000, once they have signed in.
 */
const roundMs = 3000
const poolSize = 8
const idleClients = 5000

type Login = { user: string; password: string; database: string; host: string; port: number }

async function main(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const server = await createBareServer(home, await freePort())
  const child = fork(fileURLToPath(import.meta.url), ['serve'], {
    execArgv: [...process.execArgv, '--expose-gc'],
  })
  try {
    await server.init()
    await server.start()
    child.send(server.connection)
    const [poolerPort]: unknown[] = await once(child, 'message')
    const direct: Login = { ...server.connection, host: '127.0.0.1' }
    const pooled: Login = {
      ...direct,
      user: `${direct.user}.${poolerRef}`,
      port: Number(poolerPort),
    }
    await prepare(direct)
    const dataDir = await realpath(server.dataDir)
    for (const [name, clients] of [
      ['pooler', poolSize],
      ['pooler.shared', 2 * poolSize],
    ] as const)
      await compare(name, {
        ours: () => round(pooled, clients, dataDir, child),
        baseline: () => round(direct, clients, dataDir, child),
      })
    const bytes = await memoryOf(pooled, child)
    process.stdout.write(
      `${JSON.stringify({ name: 'pooler.idle', bytes, clients: idleClients })}\n`,
    )
  } finally {
    child.kill()
    await server.stop()
    await rm(home, { recursive: true, force: true })
  }
}

async function prepare(login: Login): Promise<void> {
  const setup = new Client(login)
  await setup.connect()
  await setup.query(`create table books (id int primary key, title text);
    insert into books select n, 'Title ' || n from generate_series(1, 10000) n; analyze books`)
  await setup.end()
}

async function round(
  login: Login,
  clients: number,
  dataDir: string,
  child: ChildProcess,
): Promise<Measured> {
  const open = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new Client(login)
      await client.connect()
      return client
    }),
  )
  const read = (client: Client, id: number) =>
    client.query({ name: 'read', text: 'select title from books where id = $1', values: [id] })
  await Promise.all(open.map((client) => read(client, 1)))
  const servers = await processesOf(dataDir)
  const pids = [process.pid, child.pid ?? 0, ...servers.map(({ pid }) => pid)]
  const before = cpuOf(pids)
  let count = 0
  const end = performance.now() + roundMs
  await Promise.all(
    open.map(async (client) => {
      while (performance.now() < end) await read(client, 1 + (count++ % 10_000))
    }),
  )
  const cpuMs = cpuOf(pids) - before
  await Promise.all(open.map((client) => client.end()))
  return { value: (count / cpuMs) * 1000, cpuMs: cpuMs / count }
}

/** Of the pooler, for each client that has signed in and says nothing. */
async function memoryOf(login: Login, child: ChildProcess): Promise<number> {
  const used = async () => {
    child.send('collect')
    await once(child, 'message')
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
  }
  const before = await used()
  const open: Client[] = []
  while (open.length < idleClients) {
    const some = Array.from({ length: 50 }, () => new Client(login))
    await Promise.all(some.map((client) => client.connect()))
    open.push(...some)
  }
  const bytes = Math.round(((await used()) - before) / idleClients)
  await Promise.all(open.map((client) => client.end()))
  return bytes
}

/** The child: the pooler and nothing else, so that its processor time and memory are known. */
function serve(): void {
  let close = () => Promise.resolve()
  process.once('message', (login: Login) => {
    const database = { ...login, adminConfig: login, configFor: () => login }
    void startPooler(database, { pool: { size: poolSize, clients: idleClients + 100 } }).then(
      (pooler) => {
        close = pooler.close
        // What has happened is for tests, and would be counted as memory of clients.
        pooler.events.push = () => 0
        process.on('message', () => {
          globalThis.gc?.()
          process.send?.('collected')
        })
        process.send?.(pooler.portOf('transaction'))
      },
    )
  })
  process.once('SIGTERM', () => void close().finally(() => process.exit()))
}

if (process.argv[2] === 'serve') serve()
else await main()
