import type { Provider } from '#compute/provider'
import { maskName } from '#contract/projects/branch-masks'
import { travelAreas } from '#contract/projects/branch-travel'
import type { Job, JobHandler, Step } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { ProjectSpec } from '#compute/provider'
import type { ProjectAddress } from '../../platform-database/tables.ts'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Databases } from './databases.ts'
import { conflictsIn } from './travel/three-sides.ts'
import { createCarrying } from './travel/carrying.ts'
import type { Travel } from './travel/areas.ts'
import type { BranchRow, BranchStore } from './store.ts'
import type { BranchFunctions } from './branch-functions.ts'
import type { Copies } from './branches.ts'

type Deps = {
  store: BranchStore
  databases: Databases
  functions: BranchFunctions
  travel: Travel
  /** The request that asked for a merge ends with it. */
  closeMerged: (branchId: string) => Promise<void>
  compute: Provider
  copies: Copies | undefined
  specOf: (ref: string) => Promise<ProjectSpec>
  toAddress: (address: Awaited<ReturnType<Provider['create']>>) => ProjectAddress
  /** Moves a project at the end of what was ordered. */
  settle: (
    ref: string,
    from: ProjectStatus,
    to: ProjectStatus,
    move: { job: string; address?: ProjectAddress; failure?: string },
  ) => Promise<unknown>
  /** Milliseconds between two looks at a project that is being made. */
  lookMs?: number
  log: Log
}

/** As long as making a project may take, and some more. */
const longestWaitMs = 15 * 60_000
const attempts = { attempts: 3, seconds: 1 }

const isUp = (status: ProjectStatus) => status === 'ACTIVE_HEALTHY' || status === 'ACTIVE_UNHEALTHY'
const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** A branch that was deleted meanwhile, or whose project did not come up: nothing is left to be done. */
class Stopped extends Error {}

/**
 * The jobs of branches. Each step looks at what is there and does what is missing, so a job that was killed goes on where it
 * was, and one that failed can be ordered again.
 */
export function branchWorkflows(deps: Deps): Record<string, JobHandler> {
  const { store, databases, log, lookMs = 500 } = deps

  const carry = createCarrying(deps)

  async function mine(job: Job): Promise<BranchRow> {
    const row = await store.ofJob(job.id)
    if (!row) throw new Stopped('The branch is gone')
    return row
  }

  /** Why the database of a branch cannot be asked yet; undefined: it can. Data planes hear a moment later that it is up. */
  async function whyNotReady({
    ref,
    project_status: status,
    project_failure: failure,
  }: BranchRow): Promise<unknown> {
    if (status === 'COMING_UP' || status === 'RESTORING') return `Its project is ${status}`
    if (!isUp(status)) throw new Stopped(failure ?? `The project of the branch is ${status}`)
    return databases.migrations(ref).then(
      () => undefined,
      (error: unknown) => error,
    )
  }

  /** Until the database of a new branch can be asked. */
  async function ready(job: Job): Promise<void> {
    let end = performance.now() + longestWaitMs
    for (;;) {
      const row = await mine(job)
      const why = await whyNotReady(row)
      if (why === undefined) return
      // A copy takes as long as there is to copy, and its own job ends it.
      if (row.starts_with !== 'migrations' && row.project_status === 'COMING_UP')
        end = performance.now() + longestWaitMs
      if (performance.now() > end)
        throw new Stopped(`The database of the branch did not come up: ${reason(why)}`)
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
  }

  /** What a branch that begins as a copy has of main, and what not. */
  async function tellOfCopy(job: Job): Promise<void> {
    const row = await mine(job)
    const copy = row.starts_with === 'migrations' ? undefined : await deps.copies?.last(row.ref)
    if (!copy) return
    const { changes, restored_to: at } = copy
    const moment = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
    const notes = changes.rows
      ? [
          `The database of main was copied as it was at ${moment}`,
          ...(changes.masks.length > 0
            ? [
                `Masked: ${changes.masks.map(maskName).join(', ')}`,
                'Materialized views are empty until they are refreshed',
              ]
            : []),
          'Files in storage were not copied: their rows are there, and their bytes are not',
        ]
      : [`The structure of main was copied as it was at ${moment}, without rows`]
    for (const note of [
      ...notes,
      'Jobs are switched off, webhooks are paused, and secrets of the vault do not open here',
    ])
      await store.note(row.id, note)
  }

  /** Does the parts one after the other; what fails is said on the branch, which is at rest then. */
  const job =
    (...parts: ((job: Job, step: Step) => Promise<void>)[]): JobHandler =>
    async (given, step) => {
      try {
        for (const part of parts) await part(given, step)
        await step('end', () => store.settle(given.id, { job_id: null, failure: null }))
      } catch (error) {
        if (!(error instanceof Stopped))
          log.warn({ err: error, job: given.name, ref: given.subject }, 'a job of a branch failed')
        await step('fail', async () => {
          const row = await store.ofJob(given.id)
          if (!row) return
          const isOfFunctions = row.status === 'MIGRATIONS_PASSED'
          const failure = reason(error)
          await store.note(row.id, failure, true)
          const status = isOfFunctions ? 'FUNCTIONS_FAILED' : 'MIGRATIONS_FAILED'
          await store.settle(given.id, { job_id: null, failure, status })
        })
      }
    }

  const beReady = (given: Job, step: Step) =>
    step('ready', async () => {
      await ready(given)
      await tellOfCopy(given)
    })

  const migrationsOf = (direction: 'pull' | 'merge') => async (given: Job, step: Step) => {
    await step('begin', () => store.settle(given.id, { status: 'RUNNING_MIGRATIONS' }))
    await step('migrations', async () => {
      const row = await mine(given)
      const [from, to] =
        direction === 'pull' ? [row.parent_ref, row.ref] : [row.ref, row.parent_ref]
      await carry.migrations(row, from, to)
      await store.settle(given.id, { status: 'MIGRATIONS_PASSED' })
    })
  }

  const pullFunctions = async (given: Job, step: Step) => {
    await step('functions', async () => {
      const row = await mine(given)
      await store.settle(given.id, { base_functions: await carry.pullFunctions(row) })
    })
  }

  /** Area by area. `all`: what the branch has changed itself goes. */
  const pullSettings = (all: boolean) => async (given: Job, step: Step) => {
    for (const area of travelAreas)
      await step(`settings-${area}`, async () => {
        const row = await mine(given)
        const base_settings = await carry.pullSettings(row, area, all)
        await store.settle(given.id, { base_settings })
      })
    await step('done', () => store.settle(given.id, { status: 'FUNCTIONS_DEPLOYED' }))
  }

  const mergeSettings = async (given: Job, step: Step) => {
    for (const area of travelAreas)
      await step(`settings-${area}`, async () => carry.mergeSettings(await mine(given), area))
  }

  return {
    'branch.prepare': job(beReady, migrationsOf('pull'), pullFunctions, pullSettings(true)),
    'branch.pull': job(migrationsOf('pull'), pullFunctions, pullSettings(false)),

    'branch.merge': job(
      async (given, step) =>
        step('check', async () => {
          const row = await mine(given)
          const [both] = conflictsIn(await carry.functionsOf(row))
          if (both !== undefined) throw new Error(`Function ${both} was changed on main, too`)
        }),
      migrationsOf('merge'),
      (given, step) => step('functions', async () => carry.mergeFunctions(await mine(given))),
      mergeSettings,
      (given, step) =>
        step('done', async () => {
          const row = await mine(given)
          const seen = await carry.seenAfterMerge(row)
          await store.note(row.id, 'Merged into main')
          await deps.closeMerged(row.id)
          await store.settle(given.id, {
            ...seen,
            status: 'FUNCTIONS_DEPLOYED',
            merged_at: new Date(),
          })
        }),
    ),

    'branch.reset': job(
      async (given, step) => {
        const { ref, starts_with } = await mine(given)
        try {
          await step('destroy', () => deps.compute.destroy(ref), attempts)
          if (starts_with !== 'migrations') {
            const failed = deps.copies
              ? await deps.copies.make(given, step)
              : 'Nothing can be copied'
            if (failed !== undefined) throw new Stopped(failed)
          }
          await step(
            'make',
            async () => {
              const address = deps.toAddress(await deps.compute.create(await deps.specOf(ref)))
              await deps.settle(ref, 'RESTORING', 'ACTIVE_HEALTHY', { job: given.id, address })
            },
            attempts,
          )
        } catch (error) {
          await step('settle', async () => {
            const failure = reason(error)
            await deps.settle(ref, 'RESTORING', 'RESTORE_FAILED', { job: given.id, failure })
          })
          throw error
        }
        const row = await mine(given)
        await step('empty', () => store.note(row.id, 'The database was made anew'))
      },
      beReady,
      migrationsOf('pull'),
      pullFunctions,
      pullSettings(true),
    ),
  }
}
