import type { DatabaseAddress, Provider } from '#compute/provider'
import type { ProjectStatus } from '#contract/projects/project-status'
import { failpoint } from '#kit/failpoints'
import type { Job, JobHandler, Step } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secrets'
import type { ProjectAddress } from '../../platform-database/tables.ts'
import type { Settle } from './settle.ts'
import { limitsOf, specOf } from './spec.ts'
import type { ProjectStore } from './store.ts'
import type { DropReplicas, TakeDown } from './take-down.ts'

type Deps = {
  store: ProjectStore
  settle: Settle
  compute: Provider
  secrets: Secrets
  takeDown: TakeDown
  dropReplicas: DropReplicas
  log: Log
}

const attempts = { attempts: 3, seconds: 1 }
/** Removing is tried until it is done (state machine): about an hour here, then the reconciler goes on. */
const untilDone = { attempts: 12, seconds: 1 }

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * The jobs behind a project's status. Every step can be run again after a crash at any point; the status moves by one
 * compare-and-set that only the owning job can make. Steps have no results, so no secret can be stored with one.
 */
export function projectWorkflows({
  store,
  settle,
  compute,
  secrets,
  takeDown,
  dropReplicas,
  log,
}: Deps): Record<string, JobHandler> {
  type Outcome = { address?: ProjectAddress | null; failure?: string }

  async function move(job: Job, from: ProjectStatus, to: ProjectStatus, outcome: Outcome = {}) {
    failpoint(`${job.name}.settle:before`)
    const own = { job: job.id, ...outcome }
    const moved = await settle(job.subject, from, to, own)
    // Someone else ended this job's claim (deadline passed), or this very step ran before a crash.
    if (!moved) log.info({ ref: job.subject, job: job.id, from, to }, 'status was moved before')
    failpoint(`${job.name}.settle:after`)
  }

  /**
   * Runs the part that may fail and, when it did not, the move that tells so, in one step: what people wait for is not
   * held up by a bookkeeping write in between. Undefined when all is well, else why it failed.
   */
  async function attempt(
    job: Job,
    step: Step,
    name: string,
    run: () => Promise<void>,
  ): Promise<string | undefined> {
    try {
      await step(name, run, attempts)
      return undefined
    } catch (error) {
      log.error({ err: error, ref: job.subject, job: job.name }, 'compute failed')
      return reason(error)
    }
  }

  async function provision(ref: string): Promise<ProjectAddress> {
    const row = await store.findAny(ref)
    if (!row) throw new Error(`No row for project ${ref}`)
    return toAddress(await compute.create(await specOf(secrets, row)))
  }

  /**
   * A change of the plan gives a project another size, which its server has from its next start on. Undefined where it has the
   * size of its row.
   */
  async function withNewSize(ref: string): Promise<DatabaseAddress | undefined> {
    const row = await store.findAny(ref)
    const limits = row && limitsOf(row)
    const before = await compute.limits?.(ref)
    if (!limits || !before || before.maxConnections === limits.maxConnections) return undefined
    return (await compute.resize?.(ref, limits))?.address
  }

  /** Starts a project that was stopped. `also`: what is done before it is said to be up. */
  const resume =
    (also: (ref: string) => Promise<void> = async () => undefined): JobHandler =>
    async (job, step) => {
      // Who cancels takes the project from this job; from then on its server is not this job's to start or stop.
      const isOurs = () => store.isOf(job.id, job.subject)
      const failure = await attempt(job, step, 'start', async () => {
        if (!(await isOurs())) return
        const started = (await withNewSize(job.subject)) ?? (await compute.start(job.subject))
        await also(job.subject)
        const address = toAddress(started)
        await move(job, 'RESTORING', 'ACTIVE_HEALTHY', { address })
      })
      if (failure === undefined) return
      const stop = async () => {
        if (await isOurs()) await compute.stop(job.subject)
      }
      await step('stop', stop, untilDone)
      await step('settle', () => move(job, 'RESTORING', 'RESTORE_FAILED', { failure }))
    }

  return {
    'project.create': async (job, step) => {
      const failure = await attempt(job, step, 'provision', async () => {
        const address = await provision(job.subject)
        await move(job, 'COMING_UP', 'ACTIVE_HEALTHY', { address })
      })
      if (failure === undefined) return
      await step('clean', () => undoCreation(compute, job.subject), untilDone)
      await step('settle', () => move(job, 'COMING_UP', 'INIT_FAILED', { address: null, failure }))
    },

    'project.pause': async (job, step) => {
      const failure = await attempt(job, step, 'stop', async () => {
        await compute.stop(job.subject)
        await move(job, 'PAUSING', 'INACTIVE')
      })
      if (failure === undefined) return
      await step('settle', () => move(job, 'PAUSING', 'PAUSE_FAILED', { failure }))
    },

    'project.resume': resume(),

    /** From the trash, where its replicas were left behind. */
    'project.bring-back': resume(dropReplicas),

    /** The provider does one thing after the other for a project, so a start that is under way ends before this stop. */
    'project.cancel-resume': async (job, step) => {
      await step('stop', () => compute.stop(job.subject), untilDone)
      await step('settle', () => move(job, 'RESTORING', 'RESTORE_FAILED'))
    },

    'project.restart': async (job, step) => {
      const failure = await attempt(job, step, 'restart', async () => {
        const started = (await withNewSize(job.subject)) ?? (await compute.restart(job.subject))
        const address = toAddress(started)
        await move(job, 'RESTARTING', 'ACTIVE_HEALTHY', { address })
      })
      if (failure === undefined) return
      await step('settle', () => move(job, 'RESTARTING', 'ACTIVE_UNHEALTHY', { failure }))
    },

    'project.remove': async (job, step) => {
      const destroy = async () => {
        await takeDown(job.subject)
        await move(job, 'GOING_DOWN', 'REMOVED', { address: null })
      }
      await step('destroy', destroy, untilDone)
    },
  }
}

/**
 * Removes what an unfinished creation has left. A project that is whole is only stopped: a row that does not know so may
 * be older than its data, and another attempt goes on with it.
 */
export async function undoCreation(compute: Provider, ref: string): Promise<void> {
  const { state } = await compute.inspect(ref)
  if (state === 'absent') await compute.destroy(ref)
  else if (state === 'running') await compute.stop(ref)
}

export const toAddress = ({ socketDir: host, ...rest }: DatabaseAddress): ProjectAddress => ({
  host,
  ...rest,
})
