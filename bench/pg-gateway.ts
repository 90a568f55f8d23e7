import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { freePort } from '#kit/testing/free-port'
import { processesOf } from '#kit/postgres/processes'
import { startGateway, type TestGateway } from '#data-plane/testing/postgres-gateway'
import { createBareServer } from './parts/bare-server.ts'
import { compare, type Measured } from './parts/compare.ts'
import { cpuOf } from './parts/platform.ts'

/**
 * A round trip through the gateway against one straight to the same server: one client, one row by its key, prepared. `ratio`
 * and `p99Ratio` are of the time it takes; `cpuRatio` of the processor time of all that take part: client, gateway and server. The
 * second line is the gateway's own part, in microseconds of processor time.
 */
const roundMs = 3000

async function main(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const server = await createBareServer(home, await freePort())
  const child = fork(fileURLToPath(import.meta.url), ['serve'])
  try {
    await server.init()
    await server.start()
    const { host, port, ...login } = server.connection
    child.send({ host, port })
    const [gatewayPort] = await once(child, 'message')
    const setup = new Client({ ...login, host: '127.0.0.1', port })
    await setup.connect()
    await setup.query(`create table books (id int primary key, title text);
      insert into books select n, 'Title ' || n from generate_series(1, 10000) n; analyze books`)
    await setup.end()
    const dataDir = await realpath(server.dataDir)
    const micros: number[] = []
    const round = async (to: number): Promise<Measured> => {
      const client = new Client({ ...login, host: '127.0.0.1', port: to })
      await client.connect()
      const read = (id: number) =>
        client.query({ name: 'read', text: 'select title from books where id = $1', values: [id] })
      await read(1)
      const gateway = [child.pid ?? 0]
      const pids = [process.pid, ...gateway, ...(await processesOf(dataDir)).map(({ pid }) => pid)]
      const [before, own] = [cpuOf(pids), cpuOf(gateway)]
      const took: number[] = []
      for (const end = performance.now() + roundMs; performance.now() < end;) {
        const start = performance.now()
        await read(1 + (took.length % 10_000))
        took.push(performance.now() - start)
      }
      const cpuMs = (cpuOf(pids) - before) / took.length
      if (to === gatewayPort) micros.push(((cpuOf(gateway) - own) * 1000) / took.length)
      await client.end()
      took.sort((a, b) => a - b)
      const at = (part: number) => took[Math.floor(took.length * part)] ?? Number.NaN
      return { value: at(0.5), p99: at(0.99), cpuMs }
    }
    await compare('pg-gateway', {
      ours: () => round(gatewayPort),
      baseline: () => round(port),
    })
    const middle = micros.toSorted((a, b) => a - b)[micros.length >> 1]
    process.stdout.write(`${JSON.stringify({ name: 'pg-gateway.micros', micros: middle })}\n`)
  } finally {
    child.kill()
    await server.stop()
    await rm(home, { recursive: true, force: true })
  }
}

/** The child: the gateway and nothing else, so that its processor time is known. */
function serve(): void {
  let gateway: TestGateway | undefined
  process.once('message', (at: { host: string; port: number }) => {
    void startGateway(at).then((started) => {
      gateway = started
      process.send?.(started.port)
    })
  })
  process.once('SIGTERM', () => void gateway?.close().finally(() => process.exit()))
}

if (process.argv[2] === 'serve') serve()
else await main()
