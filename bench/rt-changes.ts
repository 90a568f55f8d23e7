import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { LogicalReplicationService, PgoutputPlugin } from 'pg-logical-replication'
import { WebSocket } from 'ws'
import { specOf } from '#compute/testing/conformance-project'
import { openCrowd, type Crowd } from './parts/rt-sockets.ts'
import { serve, withServedProject } from './parts/served-project.ts'

/**
 * From the moment a row is inserted until a client hears of it, under row level security, against a bare replication
 * client in the same moment: both hear of the same commits. The figure is the median of ours by the median of theirs.
 * `manyMs`: until the last of a thousand who listen to the table has heard of a row.
 */
const rows = 500
const subscribers = 1000
const setup = [
  'create table heard (id int primary key, text text)',
  'alter table heard enable row level security',
  'create policy all_of_it on heard for select using (true)',
  'alter publication supabase_realtime add table heard',
]

async function main(): Promise<void> {
  await withServedProject(setup, async ({ connection, at, port }) => {
    const login = (user: string): ClientConfig => ({
      host: at.socketDir,
      port: at.port,
      database: 'postgres',
      user,
      password: specOf(connection.ref).passwords.service,
    })
    const bare = await replication(login('plinth_realtime'))
    const query = `apikey=${connection.anonKey}&vsn=2.0.0`
    const socket = new WebSocket(
      `ws://127.0.0.1:${port}/${connection.ref}/realtime/v1/websocket?${query}`,
    )
    await once(socket, 'open')
    const changes = [{ event: 'INSERT', schema: 'public', table: 'heard' }]
    const config = { postgres_changes: changes }
    const join = JSON.stringify(['1', '1', 'realtime:db', 'phx_join', { config }])
    socket.send(join)
    await hears(socket, 'Subscribed to PostgreSQL')
    const writer = new Client(login('plinth_sql'))
    await writer.connect()
    const [ours, theirs]: [number[], number[]] = [[], []]
    for (let id = 0; id < rows; id++) {
      const start = performance.now()
      const both = Promise.all([
        hears(socket, 'postgres_changes').then(() => ours.push(performance.now() - start)),
        bare.next().then(() => theirs.push(performance.now() - start)),
      ])
      await writer.query('insert into heard values ($1, $2)', [id, 'text'])
      await both
    }
    await bare.stop()
    socket.terminate()
    const path = `/${connection.ref}/realtime/v1/websocket?${query}`
    const manyMs = await heardByAll(() => openCrowd(port, path, subscribers, join), writer)
    await writer.end()
    const line = {
      name: 'rt-changes',
      ratio: Math.round((p50(ours) / p50(theirs)) * 100) / 100,
      ms: p50(ours),
      subscribers,
      manyMs,
    }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  })
}

function hears(socket: WebSocket, text: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (data: Buffer) => {
      if (!data.toString().includes(text)) return
      socket.off('message', look)
      resolve()
    }
    socket.on('message', look)
  })
}

/** The median over some rows. Each subscriber is told of a row by as many bytes as every other. */
async function heardByAll(open: () => Promise<Crowd>, writer: Client): Promise<number> {
  const crowd = await open()
  // What says that they are subscribed comes a moment behind the answer.
  await delay(5000)
  const insert = (id: number) => writer.query('insert into heard values ($1, $2)', [id, 'text'])
  const before = crowd.received()
  await insert(10_000)
  await delay(2000)
  const bytes = crowd.received() - before
  if (bytes === 0 || bytes % subscribers !== 0) throw new Error(`Not all heard: ${bytes} bytes`)
  const took: number[] = []
  for (let id = 10_001; id < 10_031; id++) {
    const [start, wanted] = [performance.now(), crowd.received() + bytes]
    await insert(id)
    while (crowd.received() < wanted) await new Promise(setImmediate)
    took.push(performance.now() - start)
  }
  crowd.close()
  return p50(took)
}

async function replication(login: ClientConfig) {
  // Itself may stream, and not the role that it otherwise becomes.
  const config = { ...login, options: '-c role=none' }
  const admin = new Client(config)
  await admin.connect()
  await admin.query("select pg_create_logical_replication_slot('bare', 'pgoutput')")
  const service = new LogicalReplicationService(config)
  const plugin = new PgoutputPlugin({ protoVersion: 1, publicationNames: ['supabase_realtime'] })
  const started = new Promise((resolve) => service.once('start', resolve))
  void service.subscribe(plugin, 'bare')
  await started
  return {
    next: () =>
      new Promise<void>((resolve) => {
        const look = (_lsn: string, { tag }: { tag: string }) => {
          if (tag !== 'insert') return
          service.off('data', look)
          resolve()
        }
        service.on('data', look)
      }),
    async stop() {
      await service.destroy()
      await admin.end()
    },
  }
}

const p50 = (values: number[]) =>
  Math.round((values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0) * 100) / 100

if (process.argv[2] === 'serve') serve()
else await main()
