import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { createProject, reaches } from '../journeys/testing/client.ts'
import { cpuOf, memoryOf, startBenchPlatform, treeOf } from './parts/platform.ts'

/**
 * What a platform costs on which nobody does anything, with 1, 11, 101 and 301 projects that run (or as many as `PROJECTS`
 * says, as in `PROJECTS=0,10`): milliseconds of processor for each second, and megabytes (PSS), by kind of process. The aim
 * is 2 ms a second for the control plane with ten projects; more of them may cost more, but each of them the same.
 */
const counts = (process.env['PROJECTS'] ?? '0,10,100,300').split(',').map(Number)
/** Seconds over which it is looked at: rounds that come once a minute are in it. */
const seconds = Number(process.env['SECONDS'] ?? 120)

const { platform, person, slug } = await startBenchPlatform()
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
    await delay(seconds * 1000)
    const figures = [...kinds].map(([kind, pids]) => [
      kind,
      {
        cpuMsPerSecond: round((cpuOf(pids) - (before.get(kind) ?? 0)) / seconds),
        megabytes: Math.round(memoryOf(pids)),
      },
    ])
    const line = { name: 'idle', projects: count + 1, ...Object.fromEntries(figures) }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
} finally {
  await platform.dispose()
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
