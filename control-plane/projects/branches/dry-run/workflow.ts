import { setTimeout as delay } from 'node:timers/promises'
import type { DryRunMigration } from '#contract/projects/dry-runs'
import { movesInto, type ProjectStatus } from '#contract/projects/project-status'
import { failpoint } from '#kit/failpoints'
import type { Job, JobHandler } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { EachSubject } from '#kit/subjects'
import type { BranchDeps } from '../branches.ts'
import type { Databases } from '../databases.ts'
import type { ToTry } from '../merging.ts'
import type { Found } from '../ordering.ts'
import type { BranchStore } from '../store.ts'
import type { CopyStore } from './copy-store.ts'
import { dryRunJob, type DryRunStore } from './dry-runs-store.ts'
import { notRun, type Report } from './report.ts'
import { tryMigration } from './trial.ts'

type Deps = Pick<BranchDeps, 'move' | 'acceptJob' | 'startJob'> & {
  store: DryRunStore
  copy: CopyStore
  branches: Pick<BranchStore, 'findAny' | 'transaction'>
  find: (ref: string, id: string) => Promise<Found>
  toTry: (found: Found) => Promise<ToTry>
  databases: Databases
  each: EachSubject
  log: Log
  /** Milliseconds between two looks at a copy that is being made. */
  lookMs?: number
}

/** All migrations together; a copy costs room for as long as they take. */
const longestRunMs = 15 * 60_000
/** From when a copy is whole until its services answer. */
const longestWaitMs = 5 * 60_000
const untilDone = { attempts: 8, seconds: 1 }

const isUp = (status: ProjectStatus) => status === 'ACTIVE_HEALTHY' || status === 'ACTIVE_UNHEALTHY'
const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))
/** From these a copy can go. */
const removable = movesInto('GOING_DOWN')

/**
 * The job of a dry run. Its subject is the copy, which goes whatever comes of the rest. What was broken off while migrations ran is not
 * begun again: the copy is not what main is any more.
 */
export function dryRunWorkflow(deps: Deps) {
  const { store, copy, branches, databases, log, lookMs = 500 } = deps

  /** Until the copy can be asked. Making it has no end of its own: it takes as long as there is to copy. */
  async function ready(ref: string): Promise<void> {
    let end: number | undefined
    for (;;) {
      const found = await store.copy(ref)
      if (!found) throw new Error('The copy of main is gone')
      if (found.status !== 'COMING_UP') {
        if (!isUp(found.status))
          throw new Error(`No copy of main could be made: ${found.failure ?? found.status}`)
        end ??= performance.now() + longestWaitMs
        const why = await databases.migrations(ref).then(
          () => undefined,
          (error: unknown) => error,
        )
        if (why === undefined) return
        if (performance.now() > end)
          throw new Error(`The copy of main does not answer: ${reason(why)}`)
      }
      await delay(lookMs)
    }
  }

  async function run(ref: string): Promise<void> {
    const row = await store.ofCopy(ref)
    if (row?.state !== 'running') return
    if (!(await store.begin(ref))) throw new Error('It was interrupted. Check again')
    const branch = await branches.findAny(row.branch_id)
    if (!branch) throw new Error('The branch is gone')
    const found = await deps.find(branch.parent_ref, branch.id)
    const { digest, migrations, ofMain } = await deps.toTry(found)
    if (digest !== row.digest)
      throw new Error('The branch or main has changed meanwhile. Check again')
    if (row.copied === 'migrations')
      for (const migration of ofMain) await databases.apply(ref, migration, row.ordered_by_email)
    const signal = AbortSignal.timeout(longestRunMs)
    const results: DryRunMigration[] = []
    let hasFailed = false
    for (const migration of migrations) {
      const { version, name } = migration
      const report: Report = hasFailed ? notRun : await tryMigration(copy, ref, migration, signal)
      hasFailed ||= report.state === 'failed'
      results.push({ version, name, ...report })
      failpoint('branch.dry-run.migration:after')
    }
    await store.settle(ref, {
      state: hasFailed ? 'failed' : 'passed',
      migrations: JSON.stringify(results),
    })
  }

  /** Nothing of it is left when the job that this orders is over. */
  async function remove(ref: string): Promise<void> {
    const job = await branches.transaction(async (tx) => {
      const accepted = await deps.acceptJob(tx, 'project.remove', ref)
      const moved = await deps.move(tx, ref, removable, 'GOING_DOWN', { nextJob: accepted.id })
      if (!moved) throw new Error('The copy is not at rest')
      return accepted
    })
    await deps.startJob(job)
  }
  async function removeOnce(ref: string): Promise<void> {
    const found = await store.copy(ref)
    if (!found || found.status === 'GOING_DOWN' || found.status === 'REMOVED') return
    await remove(ref)
  }

  const handler: JobHandler = async ({ subject: ref }: Job, step) => {
    try {
      await step('ready', () => ready(ref))
      await step('run', () => run(ref))
    } catch (error) {
      log.warn({ err: error, ref }, 'a dry run came to no result')
      const failure = reason(error)
      await step('fail', () => store.settle(ref, { state: 'failed', failure }), untilDone)
    }
    // Where this does not come about, the round below goes on.
    await step('remove', () => removeOnce(ref), untilDone).catch((error: unknown) =>
      log.error({ err: error, ref }, 'the copy of a dry run could not be removed yet'),
    )
    await step('end', () => store.finish(ref), untilDone)
  }

  return {
    workflows: { [dryRunJob]: handler },
    /** What is left of dry runs whose job has ended, however that came about. */
    async round(): Promise<void> {
      await deps.each('copies of dry runs', await store.leftOver(), String, remove)
      await store.endAbandoned()
    },
  }
}
