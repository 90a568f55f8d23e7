import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { silentLog } from '#kit/log'
import { Client } from '#kit/postgres/client'
import { newProjectSql, projectMigrations } from '#start/tenants'
import { ask, customer, specOf, testRef } from '../compute/testing/conformance-project.ts'
import { createLocalProvider } from '../compute/local/local.ts'
import type { DatabaseAddress } from '../compute/provider.ts'
import { newHome } from '../journeys/testing/platform.ts'

/**
 * What a project's queries have left while the project beside it runs 16 that do nothing but count: throughput (half of it
 * is to stay) and the slowest of a hundred (five times as long at most). Both projects have the smallest size.
 */
const seconds = 8
const clients = 4
const home = await newHome()
const provider = createLocalProvider({
  home,
  migrations: projectMigrations(),
  newProjectSql: newProjectSql(),
  spares: 0,
  userRanges: join(home, 'ranges'),
  log: silentLog,
})
const limits = { maxConnections: 30 }
try {
  await provider.prepare()
  const [quiet, loud] = [await open(testRef()), await open(testRef())]
  await load(quiet, 2)
  const alone = await load(quiet, seconds)
  const hogs = Array.from({ length: 16 }, () => hog(loud))
  await load(quiet, 2)
  const beside = await load(quiet, seconds)
  await ask(
    loud.at,
    customer(loud.ref),
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'select count(*) from generate_series%'",
  )
  await Promise.allSettled(hogs)
  const round = (value: number) => Math.round(value * 100) / 100
  const line = {
    name: 'neighbour',
    throughput: round(beside.perSecond / alone.perSecond),
    p99: round(beside.p99 / alone.p99),
    gates: { throughput: 0.5, p99: 5 },
    alone: { perSecond: Math.round(alone.perSecond), p99Ms: round(alone.p99) },
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
  process.exitCode = line.throughput >= 0.5 && line.p99 <= 5 ? 0 : 1
} finally {
  for (const ref of await provider.list()) await provider.destroy(ref)
  await provider.close()
  await rm(home, { recursive: true, force: true })
}

type Project = { ref: string; at: DatabaseAddress }

async function open(ref: string): Promise<Project> {
  await provider.create({ ...specOf(ref), limits })
  return { ref, at: await provider.start(ref) }
}

async function hog({ ref, at }: Project): Promise<unknown> {
  return ask(at, customer(ref), 'select count(*) from generate_series(1, 100000000000)')
}

/** Small queries of some clients, one after the other each, as an app sends them. */
async function load({ ref, at }: Project, forSeconds: number) {
  const { role: user, password } = customer(ref)
  const took: number[] = []
  const end = performance.now() + forSeconds * 1000
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const connection = { host: at.socketDir, port: at.port, user, password, database: 'postgres' }
      const client = new Client(connection)
      await client.connect()
      while (performance.now() < end) {
        const start = performance.now()
        await client.query('select count(*) from pg_class where relname like $1', ['pg_%'])
        took.push(performance.now() - start)
      }
      await client.end()
    }),
  )
  const sorted = took.toSorted((a, b) => a - b)
  return {
    perSecond: took.length / forSeconds,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  }
}
