import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '#kit/postgres/client'
import { preparePostgres } from '#kit/postgres/runtime'
import { createProject, reaches, runSql } from '../journeys/testing/client.ts'
import { cpuOf, memoryOf, startBenchPlatform, treeOf } from './parts/platform.ts'

/**
 * What a platform costs on which nobody does anything, with 1, 11, 101 and 301 projects that run (or as many as `PROJECTS`
 * says, as in `PROJECTS=0,10`): milliseconds of processor for each second, and megabytes (PSS), by kind of process. The aim
 * is 2 ms a second for the control plane with ten projects; more of them may cost more, but each of them the same.
 * `platform`: what its database commits and writes to its log in a second; `idle.atRest`: what one quiet project writes to its own.
 * These, and the numbers of processes, are the same beside other work, unlike the processor time.
 */
const counts = (process.env['PROJECTS'] ?? '0,10,100,300').split(',').map(Number)
/** Seconds over which it is looked at: rounds that come once a minute are in it. */
const seconds = Number(process.env['SECONDS'] ?? 120)

const { platform, person, slug, warm } = await startBenchPlatform()
try {
  let made = 0
  for (const count of counts) {
    for (; made < count; made++) {
      const { ref } = await createProject(person, slug, `Project ${made}`)
      await reaches(person, ref, ['ACTIVE_HEALTHY'])
      // A person may create 120 in a minute.
      await delay(500)
    }
    // Connections to a project's database are kept for a while after the last request.
    await delay(100_000)
    const kinds = byKind(treeOf(platform, platform.home))
    const before = new Map([...kinds].map(([kind, pids]) => [kind, cpuOf(pids)]))
    const counted = await platformCounts()
    await delay(seconds * 1000)
    const later = await platformCounts()
    const figures = [...kinds].map(([kind, pids]) => [
      kind,
      {
        cpuMsPerSecond: round((cpuOf(pids) - (before.get(kind) ?? 0)) / seconds),
        megabytes: Math.round(memoryOf(pids)),
        processes: pids.length,
      },
    ])
    const perSecond = {
      transactions: round((later.transactions - counted.transactions) / seconds),
      walBytes: Math.round((later.walBytes - counted.walBytes) / seconds),
      connections: later.connections,
    }
    const line = { name: 'idle', projects: count + 1, ...Object.fromEntries(figures) }
    process.stdout.write(`${JSON.stringify({ ...line, platform: perSecond })}\n`)
  }
  const before = await writtenBy(warm.ref)
  await delay(seconds * 1000)
  const walBytes = (await writtenBy(warm.ref)) - before
  process.stdout.write(`${JSON.stringify({ name: 'idle.atRest', walBytes, seconds })}\n`)
} finally {
  await platform.dispose()
}

/** Of the platform's own database, since it began; one of the connections is the one that asks. */
async function platformCounts() {
  const { sockets } = await preparePostgres(platform.home)
  const client = new Client({
    host: join(sockets, 'platform'),
    port: 5432,
    user: 'plinth',
    password: readFileSync(join(platform.home, 'platform-password'), 'utf8').trim(),
    database: 'plinth',
  })
  await client.connect()
  const { rows } = await client.query<Record<'transactions' | 'wal' | 'connections', string>>(
    `select (select sum(xact_commit) from pg_stat_database) as transactions,
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal,
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections`,
  )
  await client.end()
  const { transactions, wal, connections } = rows[0] ?? {}
  return {
    transactions: Number(transactions),
    walBytes: Number(wal),
    connections: Number(connections) - 1,
  }
}

/** Bytes of write-ahead log that a project has written since it was made. */
async function writtenBy(ref: string): Promise<number> {
  const rows = await runSql(
    person,
    ref,
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes`,
  )
  const [bytes] = /\d+/.exec(JSON.stringify(rows)) ?? []
  return Number(bytes)
}

function byKind(pids: number[]): Map<string, number[]> {
  const kinds = new Map<string, number[]>()
  for (const pid of pids) {
    const kind = kindOf(pid)
    kinds.set(kind, [...(kinds.get(kind) ?? []), pid])
  }
  return kinds
}

/** Processes of a database server only say what they do there; whose they are says the one that started them. */
function kindOf(pid: number): string {
  const command = commandOf(pid)
  if (command.startsWith('postgres: ')) return kindOf(parentOf(pid))
  const [, program] = /(control-plane|data-plane)\.js/.exec(command) ?? []
  if (program) return program
  if (command.includes('clusters/platform/')) return 'platformDatabase'
  return command.includes('clusters/') ? 'projectDatabases' : 'launcher'
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    // It ended meanwhile.
    return ''
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
