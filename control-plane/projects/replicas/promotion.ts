import type { Provider, ReadReplicas } from '#compute/provider'
import { failpoint } from '#kit/failpoints'
import type { Job, JobHandler } from '#kit/jobs'
import type { Platform } from '../../platform.ts'
import type { settleFrom } from '../../server-change.ts'
import type { ReplicaDeps } from './replicas.ts'

type Deps = Pick<ReplicaDeps, 'store' | 'adminPasswordOf' | 'log'> & {
  compute: ReadReplicas | undefined
  projects: Pick<Platform['projects'], 'isOf'>
  inspect: Provider['inspect']
  /** Moves the project of this job out of RESTARTING. */
  settle: ReturnType<typeof settleFrom>
}

const untilDone = { attempts: 8, seconds: 1 }
const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * The jobs by which a project goes on as one of its replicas. Promoting is one step, which finishes what a crash has cut short; the
 * replica stops being one in the transaction that makes the project healthy again. What fails leaves the project with the server
 * that it had, if that still runs.
 */
export function promotionWorkflows(deps: Deps): Record<string, JobHandler> {
  const { store, compute, projects, log } = deps

  async function promote(job: Job, force: boolean): Promise<void> {
    if (!compute) throw new Error('Nobody makes read replicas here')
    const row = await store.ofJob(job.id)
    // Settled before a crash, or the project was taken from this job.
    if (!row || !(await projects.isOf(job.id, job.subject))) return
    const key = { ref: row.ref, id: row.identifier }
    const password = await deps.adminPasswordOf(row.ref)
    const address = await compute.promote(key, password, { order: job.id, force })
    failpoint(`${job.name}.settle:before`)
    await deps.settle(job, 'ACTIVE_HEALTHY', { address }, (tx) => store.forget(tx, job.id))
    failpoint(`${job.name}.settle:after`)
  }

  async function giveUp(job: Job, failure: string): Promise<void> {
    const found = await deps.inspect(job.subject)
    const address = found.state === 'running' ? found.address : undefined
    const told = `The read replica was not promoted: ${failure}`
    await deps.settle(
      job,
      address ? 'ACTIVE_HEALTHY' : 'ACTIVE_UNHEALTHY',
      { ...(address && { address }), failure: told },
      async (tx) => {
        await store.settle(tx, job.id, { status: 'ACTIVE_HEALTHY', failure: told })
      },
    )
  }

  const handler =
    (force: boolean): JobHandler =>
    async (job, step) => {
      try {
        // Once: nobody is answered while it is tried.
        await step('promote', () => promote(job, force))
      } catch (error) {
        log.error({ err: error, ref: job.subject }, 'a read replica was not promoted')
        await step('give up', () => giveUp(job, reason(error)), untilDone)
      }
    }

  return { 'project.promote': handler(false), 'project.promote-by-force': handler(true) }
}
