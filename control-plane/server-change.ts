import type { Changed, DatabaseAddress } from '#compute/provider'
import type { ProjectStatus } from '#contract/projects/project-status'
import { failpoint } from '#kit/failpoints'
import type { Job, JobHandler, Step } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { Tx } from './platform-database/database.ts'
import type { ProjectAddress } from './platform-database/tables.ts'
import type { Platform } from './platform.ts'

export type Settling = [
  to: 'ACTIVE_HEALTHY' | 'ACTIVE_UNHEALTHY',
  outcome: { address?: DatabaseAddress; failure?: string },
  also: (tx: Tx) => Promise<void>,
]
/** What a feature needs to move the project of a job. */
export type SettleNeeds = {
  /** Moves a project, with what is written down beside it; undefined when somebody else moved it first. */
  settle: (
    ref: string,
    from: ProjectStatus,
    to: ProjectStatus,
    move: { job: string; address?: ProjectAddress; failure?: string },
    also: (tx: Tx) => Promise<void>,
  ) => Promise<unknown>
  toAddress: (address: DatabaseAddress) => ProjectAddress
}

/** Moves a project out of the status that it has while its server is changed. */
export const settleFrom =
  (status: ProjectStatus, { settle, toAddress }: SettleNeeds) =>
  async (job: Job, ...[to, { address, failure }, also]: Settling): Promise<boolean> => {
    const move = {
      job: job.id,
      ...(address && { address: toAddress(address) }),
      ...(failure !== undefined && { failure }),
    }
    return (await settle(job.subject, status, to, move, also)) !== undefined
  }

type Deps<Order> = {
  /** Of the job, such as `project.resize`, and of its failpoints. */
  name: string
  orderOf: (jobId: string) => Promise<Order | undefined>
  /** Has the server run with what was ordered, or with what it had before. Repeated it finishes what was broken off. */
  run: (ref: string, order: Order, which: 'after' | 'before') => Promise<Changed>
  /** Written in the transaction in which the project is healthy again. */
  changed: (tx: Tx, job: Job, order: Order, downMs: number | undefined) => Promise<void>
  kept: (tx: Tx, job: Job, order: Order, failure: string) => Promise<void>
  /** What its members read when it has what it had before. */
  told: (order: Order, failure: string) => string
  projects: Pick<Platform['projects'], 'isOf'>
  /** Moves the project of this job out of the status that it has meanwhile, together with `also`. False when it was not the job's any more. */
  settle: (job: Job, ...how: Settling) => Promise<boolean>
  log: Log
}

const untilDone = { attempts: 4, seconds: 1 }
const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * The job that gives the server of a project something else to run with. The server starts once with it; when it does not come up it
 * gets back what it had, and what the platform says of it is what it has. Every step can be run again after a crash; what it goes by
 * stands in the row of the order.
 */
export function createServerChange<Order>(deps: Deps<Order>): JobHandler {
  const { name, run, settle, projects, log } = deps

  async function move(job: Job, ...[to, outcome, also]: Settling) {
    failpoint(`${name}.settle:before`)
    if (!(await settle(job, to, outcome, also)))
      log.info({ ref: job.subject, job: job.id }, 'status was moved before')
    failpoint(`${name}.settle:after`)
  }

  async function change(job: Job, order: Order): Promise<void> {
    // Whoever ended this job's claim decides what the server has.
    if (!(await projects.isOf(job.id, job.subject))) return
    const { address, downMs } = await run(job.subject, order, 'after')
    await move(job, 'ACTIVE_HEALTHY', { address }, (tx) => deps.changed(tx, job, order, downMs))
  }

  async function undo(job: Job, order: Order, failure: string): Promise<void> {
    if (!(await projects.isOf(job.id, job.subject))) return
    const { address } = await run(job.subject, order, 'before')
    await move(job, 'ACTIVE_HEALTHY', { address, failure }, (tx) =>
      deps.kept(tx, job, order, failure),
    )
  }

  /** Undefined when all is well, else why it failed. */
  async function attempt(step: Step, job: Job, called: string, body: () => Promise<void>) {
    try {
      // Once: that with which it did not come up is not tried again while nobody is answered.
      await step(called, body)
      return undefined
    } catch (error) {
      log.error({ err: error, ref: job.subject, step: called }, `${name} failed`)
      return reason(error)
    }
  }

  return async (job, step) => {
    const order = await deps.orderOf(job.id)
    if (!order) throw new Error(`Nobody has ordered ${name} for ${job.subject}`)
    const failure = await attempt(step, job, 'change', () => change(job, order))
    if (failure === undefined) return
    const told = deps.told(order, failure)
    const worse = await attempt(step, job, 'undo', () => undo(job, order, told))
    if (worse === undefined) return
    // The order stays open: once the project is healthy again, its server is given what it is said to have.
    await step(
      'settle',
      () => move(job, 'ACTIVE_UNHEALTHY', { failure: worse }, () => Promise.resolve()),
      untilDone,
    )
  }
}
