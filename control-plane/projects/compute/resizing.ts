import type { DatabaseAddress, Provider } from '#compute/provider'
import { computeSizes, type ComputeSizeId } from '#contract/projects/compute-sizes'
import { failpoint } from '#kit/failpoints'
import type { Job, JobHandler, Step } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { Tx } from '../../platform-database/database.ts'
import type { Platform } from '../../platform.ts'
import type { ComputeStore, ResizeRow } from './store.ts'

type Settling = [
  to: 'ACTIVE_HEALTHY' | 'ACTIVE_UNHEALTHY',
  outcome: { address?: DatabaseAddress; failure?: string },
  also: (tx: Tx) => Promise<void>,
]
type Deps = {
  store: ComputeStore
  projects: Pick<Platform['projects'], 'isOf'>
  compute: Pick<Provider, 'resize'>
  /** Moves the project of this job out of RESIZING, together with `also`. False when it was not the job's any more. */
  settle: (job: Job, ...how: Settling) => Promise<boolean>
  now: () => Date
  log: Log
}

const untilDone = { attempts: 4, seconds: 1 }
const limitsOf = (size: ComputeSizeId) => ({
  maxConnections: computeSizes[size].directConnections,
})
const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * The job that changes a size. The server starts once with the new one; when it does not come up it gets back the old one, and
 * what people pay for is what it has. Every step can be run again after a crash; what it goes by stands in the row of the order.
 */
export function createResizing({ store, projects, compute, settle, now, log }: Deps) {
  async function run(ref: string, size: ComputeSizeId) {
    if (!compute.resize) throw new Error('Sizes cannot be changed here')
    return compute.resize(ref, limitsOf(size))
  }
  async function move(job: Job, ...[to, outcome, also]: Settling) {
    failpoint('project.resize.settle:before')
    if (!(await settle(job, to, outcome, also)))
      log.info({ ref: job.subject, job: job.id }, 'status was moved before')
    failpoint('project.resize.settle:after')
  }

  async function resize(job: Job, order: ResizeRow): Promise<void> {
    // Whoever ended this job's claim decides what the server has.
    if (!(await projects.isOf(job.id, job.subject))) return
    const { address, downMs } = await run(job.subject, order.to_size)
    await move(job, 'ACTIVE_HEALTHY', { address }, async (tx) => {
      await store.setSize(tx, order.project_id, order.to_size)
      await store.end(tx, job.id, {
        at: now(),
        outcome: 'resized',
        failure: null,
        down_ms: downMs ?? null,
      })
    })
  }

  async function undo(job: Job, order: ResizeRow, failure: string): Promise<void> {
    if (!(await projects.isOf(job.id, job.subject))) return
    const { address } = await run(job.subject, order.from_size)
    await move(job, 'ACTIVE_HEALTHY', { address, failure }, (tx) =>
      store.end(tx, job.id, { at: now(), outcome: 'kept', failure, down_ms: null }),
    )
  }

  /** Undefined when all is well, else why it failed. */
  async function attempt(step: Step, job: Job, name: string, body: () => Promise<void>) {
    try {
      // Once: a size with which it did not come up is not tried again while nobody is answered.
      await step(name, body)
      return undefined
    } catch (error) {
      log.error({ err: error, ref: job.subject, step: name }, 'the size could not be changed')
      return reason(error)
    }
  }

  const handler: JobHandler = async (job, step) => {
    const order = await store.ofJob(job.id)
    if (!order) throw new Error(`Nobody has ordered another size for ${job.subject}`)
    const failure = await attempt(step, job, 'resize', () => resize(job, order))
    if (failure === undefined) return
    const [from, to] = [order.from_size, order.to_size].map((size) => computeSizes[size].label)
    const told = `The database did not start with ${to} compute, so it has ${from} as before. ${failure}`
    const worse = await attempt(step, job, 'undo', () => undo(job, order, told))
    if (worse === undefined) return
    // The order stays open: once the project is healthy again, its server is given the size that it has.
    await step(
      'settle',
      () => move(job, 'ACTIVE_UNHEALTHY', { failure: worse }, () => Promise.resolve()),
      untilDone,
    )
  }
  return { 'project.resize': handler }
}
