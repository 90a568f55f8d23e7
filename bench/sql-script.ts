import { Client } from 'pg'
import { ask, customer } from '#compute/testing/conformance-project'
import { splitStatements } from '#contract/database/sql/sql-statements'
import { compare } from './parts/compare.ts'
import {
  internalToken,
  serve,
  withServedProject,
  type ServedProject,
} from './parts/served-project.ts'

/**
 * A script of 3,000 INSERTs, each committed by itself, as the SQL editor asks for it, against the driver, which sends one
 * statement after the other and waits for each answer, as psql -f does. Prints how long one run took, too.
 */
const statements = 3000
const table = 'create table script_lines (id int primary key, title text, price numeric)'
const script = Array.from(
  { length: statements },
  (_, i) => `insert into script_lines values (${i}, 'Line ${i}', ${i / 100});`,
).join('\n')

async function main(): Promise<void> {
  await withServedProject([table], async (project) => {
    const took = { ours: [] as number[], driver: [] as number[] }
    const timed = (who: 'ours' | 'driver', work: () => Promise<void>) => async () => {
      await ask(project.at, customer(project.connection.ref), 'truncate script_lines')
      const began = performance.now()
      const measured = await project.measure(who, async () => {
        await work()
        return statements
      })
      took[who].push(performance.now() - began)
      return measured
    }
    await compare('sql-script', {
      ours: timed('ours', () => run(project)),
      baseline: timed('driver', () => oneByOne(project)),
    })
    const seconds = (all: number[]) => (Math.min(...all) / 1000).toFixed(2)
    process.stdout.write(
      `${statements} statements: ${seconds(took.ours)} s, one by one ${seconds(took.driver)} s (best of ${took.ours.length})\n`,
    )
  })
}

/** One run, its answer read to the end. */
async function run({ port, connection: { ref } }: ServedProject): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/internal/pg-meta/${ref}/query/run`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${internalToken}`,
      'x-plinth-login': 'postgres',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ id: crypto.randomUUID(), query: script }),
  })
  const events = (await response.text()).split('\n')
  const done = events.filter((line) => line.includes('"type":"done"')).length
  if (done !== statements) throw new Error(`${done} statements ran: ${events.slice(-3).join('\n')}`)
}

async function oneByOne({ at, connection }: ServedProject): Promise<void> {
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
  for (const { text } of splitStatements(script)) await client.query(text)
  await client.end()
}

if (process.argv[2] === 'serve') serve()
else await main()
