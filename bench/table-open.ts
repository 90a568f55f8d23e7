import { Client } from 'pg'
import { customer } from '#compute/testing/conformance-project'
import { compare } from './parts/compare.ts'
import { httpLoad } from './parts/http-load.ts'
import {
  internalToken,
  serve,
  withServedProject,
  type ServedProject,
} from './parts/served-project.ts'

/**
 * The first hundred rows of a table as the table editor asks for them, against the same rows by primary key over a bare
 * driver: processor time of the server program and Postgres, or of the driver and Postgres. The sizes show how it grows:
 * nothing is counted and nothing skipped, so a table of ten million rows opens like one of a thousand.
 */
const sizes = { '1k': 1_000, '1M': 1_000_000, '10M': 10_000_000 }
const [connections, roundMs] = [4, 3000]

const tableOf = (name: string, rows: number) => [
  `create table "t${name}" (id int primary key, title text, pages int, price numeric(10,2), added timestamptz)`,
  `insert into "t${name}" select i, 'Title ' || i, i % 900, i / 100.0, now() from generate_series(1, ${rows}) i`,
  `vacuum analyze "t${name}"`,
]

async function main(): Promise<void> {
  const setup = Object.entries(sizes).flatMap(([name, rows]) => tableOf(name, rows))
  await withServedProject(setup, async (project) => {
    for (const name of Object.keys(sizes)) {
      const id = await oidOf(project, `t${name}`)
      const at = { host: '127.0.0.1', port: project.port }
      await compare(`table-open ${name}`, {
        ours: () =>
          project.measure('ours', () => httpLoad(at, connections, roundMs, asked(project, id))),
        baseline: () => project.measure('driver', () => driverLoad(project, `t${name}`)),
      })
    }
  })
}

function asked({ connection: { ref } }: ServedProject, id: number): () => string {
  const body = JSON.stringify({ limit: 100 })
  const head = [
    `POST /internal/pg-meta/${ref}/entities/${id}/rows HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${internalToken}`,
    'X-Plinth-Login: postgres',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  const request = `${head.join('\r\n')}\r\n\r\n${body}`
  return () => request
}

async function connected({ at, connection: { ref } }: ServedProject): Promise<Client> {
  const client = new Client({
    host: at.socketDir,
    port: at.port,
    database: 'postgres',
    ...loginOf(ref),
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function oidOf(project: ServedProject, table: string): Promise<number> {
  const client = await connected(project)
  const { rows } = await client.query<{ id: number }>(
    'select to_regclass(quote_ident($1))::oid as id',
    [table],
  )
  await client.end()
  return rows[0]?.id ?? 0
}

/** Opens a second: each asks for what the grid shows, as text. */
async function driverLoad(project: ServedProject, table: string): Promise<number> {
  const end = performance.now() + roundMs
  const text = `select * from "${table}" order by id limit 100`
  const counts = Array.from({ length: connections }, async () => {
    const client = await connected(project)
    let count = 0
    for (; performance.now() < end; count++) {
      await client.query({ name: 'first', text, rowMode: 'array' })
    }
    await client.end()
    return count
  })
  return (await Promise.all(counts)).reduce((a, b) => a + b, 0)
}

function loginOf(ref: string) {
  const { role: user, password } = customer(ref)
  return { user, password }
}

if (process.argv[2] === 'serve') serve()
else await main()
