import { setTimeout as delay } from 'node:timers/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { createClient } from '@supabase/supabase-js'
import ws from 'ws'
import {
  createOrganization,
  createProject,
  reaches,
  runSql,
  signUp,
} from '../../journeys/testing/client.ts'
import type { Person, Project } from '../../journeys/testing/client.ts'
import { startPlatform, type Platform } from '../../journeys/testing/platform.ts'

/** A whole platform with a person who has an organization. */
export async function startBenchPlatform() {
  const platform = await startPlatform({ environment: { PLINTH_RATE_LIMIT: '100000' } })
  const person = await signUp(platform.url, 'bench@example.com')
  const slug = await createOrganization(person, 'Bench')
  // The first project waits for the template; what is measured starts after it.
  const warm = await createProject(person, slug, 'Warm up')
  await reaches(person, warm.ref, ['ACTIVE_HEALTHY'])
  return { platform, person, slug, warm }
}

export const clientOf = (project: Project) =>
  createClient(project.endpoint, project.serviceKey, {
    realtime: {
      // The two packages declare the same constructor differently.
      transport: ws as never,
    },
  })

/** Asks by supabase-js until the answer is 200; `wait` is the milliseconds between two attempts. */
export async function untilSelected(project: Project, table: string, wait = 5): Promise<void> {
  const client = clientOf(project)
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const { status } = await client.from(table).select('*').limit(1)
    if (status === 200) return
    await delay(wait)
  }
  throw new Error(`${project.ref} gave no row in a minute`)
}

/** From the order to the first row read: what a newcomer waits for, a table included. */
export async function createAndRead(person: Person, slug: string, name: string): Promise<Project> {
  const project = await createProject(person, slug, name)
  await reaches(person, project.ref, ['ACTIVE_HEALTHY'])
  await runSql(person, project.ref, 'create table first (id int); insert into first values (1)')
  await untilSelected(project, 'first')
  return project
}

/** The process of the platform and all below it that still have it as an ancestor, servers of databases included. */
export const treeOf = (platform: Platform, folder: string): number[] =>
  treeBelow(platform.process.pid ?? 0, folder)

/** A process and all that it started; with `folder` also those that name it in their command lines. */
export function treeBelow(root: number, folder?: string): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
      const isNamed =
        folder !== undefined && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(folder)
      if (isNamed) parents.set(Number(name), root)
    } catch {
      // The process ended while it was being looked at.
    }
  }
  const tree = new Set([root])
  for (let before = -1; before !== tree.size;) {
    before = tree.size
    for (const [pid, parent] of parents) if (tree.has(parent)) tree.add(pid)
  }
  return [...tree]
}

/** Megabytes of memory that only these processes cause (PSS shares what they share). */
export function memoryOf(pids: number[]): number {
  return pids.reduce((total, pid) => {
    try {
      const [, kb = '0'] =
        /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
      return total + Number(kb) / 1024
    } catch {
      return total
    }
  }, 0)
}

/** Milliseconds of processor time that these processes have used so far. */
export function cpuOf(pids: number[]): number {
  return pids.reduce((total, pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return (
        total +
        (Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14])) * 10
      )
    } catch {
      return total
    }
  }, 0)
}
