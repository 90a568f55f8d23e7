import { Client } from 'pg'
import { customer } from '#compute/testing/conformance-project'
import { compare } from './parts/compare.ts'
import {
  internalToken,
  serve,
  withServedProject,
  type ServedProject,
} from './parts/served-project.ts'

/**
 * A result of 100,000 rows as the SQL editor asks for it, against a client that sends the same text and throws the
 * server's bytes away unread, which is less than psql does for /dev/null: processor time of the server program and
 * Postgres, or of the client and Postgres. A second line has ten times the rows: the time must grow as the rows do.
 */
const sizes = [100_000, 1_000_000]
const text = (rows: number) =>
  `select i as id, 'Title ' || i as title, i % 900 as pages, i / 100.0 as price, timestamptz '2026-01-01' as added from generate_series(1, ${rows}) i`

async function main(): Promise<void> {
  await withServedProject([], async (project) => {
    for (const rows of sizes)
      await compare(`sql-result ${rows / 1000}k`, {
        ours: () => project.measure('ours', () => run(project, rows)),
        baseline: () => project.measure('driver', () => drain(project, rows)),
      })
  })
}

/** One run, its answer read to the end. */
async function run({ port, connection: { ref } }: ServedProject, rows: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/internal/pg-meta/${ref}/query/run`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${internalToken}`,
      'x-plinth-login': 'postgres',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ id: crypto.randomUUID(), query: text(rows), row_limit: null }),
  })
  let last = ''
  const decoder = new TextDecoder()
  for await (const piece of response.body ?? []) last = decoder.decode(piece).slice(-200)
  if (!last.includes('"type":"end"'))
    throw new Error(`The run broke off: ${response.status} ${last}`)
  return 1
}

/** ReadyForQuery of an idle session: nothing comes after it. */
const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

async function drain({ at, connection }: ServedProject, rows: number): Promise<number> {
  const { role: user, password } = customer(connection.ref)
  const client = new Client({
    host: at.socketDir,
    port: at.port,
    database: 'postgres',
    user,
    password,
  })
  client.on('error', () => undefined)
  await client.connect()
  const { stream } = client.connection
  stream.removeAllListeners('data')
  await new Promise<void>((done) => {
    let tail: Buffer = Buffer.alloc(0)
    stream.on('data', (bytes: Buffer) => {
      tail = bytes.length >= ready.length ? bytes : Buffer.concat([tail, bytes])
      if (tail.subarray(-ready.length).equals(ready)) done()
    })
    client.connection.query(text(rows))
  })
  stream.destroy()
  return 1
}

if (process.argv[2] === 'serve') serve()
else await main()
