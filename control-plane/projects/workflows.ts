import type { Provider } from '#compute/provider'
import { computeSizes } from '#contract/compute-sizes'
import type { ProjectStatus } from '#contract/project-status'
import type { Job, JobHandler, Step } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secrets'
import type { ProjectSecrets } from './keys.ts'
import { projectIdentity } from './projects.ts'
import type { ProjectAddress, ProjectStore } from './store.ts'

type Deps = { store: ProjectStore; compute: Provider; secrets: Secrets; log: Log }

const attempts = { attempts: 3, seconds: 1 }
/** Removing is tried until it is done (state machine): about an hour here, then the reconciler goes on. */
const untilDone = { attempts: 12, seconds: 1 }

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * The jobs behind a project's status. Every step can be run again after a crash at any point, and each ends in one
 * compare-and-set that only the owning job can make. Step results hold addresses only, never a secret.
 */
export function projectWorkflows({
  store,
  compute,
  secrets,
  log,
}: Deps): Record<string, JobHandler> {
  const settle = (
    step: Step,
    job: Job,
    from: ProjectStatus,
    to: ProjectStatus,
    more: { address?: ProjectAddress | null; failure?: string } = {},
  ) =>
    step('settle', async () => {
      const moved = await store.transition(undefined, job.subject, [from], to, {
        job: job.id,
        ...more,
      })
      // Someone else ended this job's claim (deadline passed), or this very step ran before the crash.
      if (!moved) log.info({ ref: job.subject, job: job.id, from, to }, 'status was moved before')
    })

  /** Runs the part that may fail; a failure becomes a status and a reason, not a crash of the job. */
  async function attempt(
    job: Job,
    step: Step,
    name: string,
    run: () => Promise<ProjectAddress | undefined>,
  ): Promise<{ address: ProjectAddress | undefined; failure?: string }> {
    try {
      return { address: await step(name, run, attempts) }
    } catch (error) {
      log.error({ err: error, ref: job.subject, job: job.name }, 'compute failed')
      return { address: undefined, failure: reason(error) }
    }
  }

  async function provision(ref: string): Promise<ProjectAddress> {
    const row = await store.findAny(ref)
    if (!row) throw new Error(`No row for project ${ref}`)
    // Written by newProjectSecrets and sealed since.
    const own = JSON.parse(secrets.open(row.sealed_secrets, projectIdentity(ref))) as ProjectSecrets
    return toAddress(
      await compute.create({
        ref,
        passwords: {
          postgres: own.dbPassword,
          service: own.servicePassword,
          admin: own.adminPassword,
        },
        limits: { maxConnections: computeSizes[row.compute_size].directConnections },
      }),
    )
  }

  return {
    'project.create': async (job, step) => {
      const ref = job.subject
      const made = await attempt(job, step, 'provision', () => provision(ref))
      if (made.address) {
        await settle(step, job, 'COMING_UP', 'ACTIVE_HEALTHY', { address: made.address })
        return
      }
      await step('clean', () => compute.destroy(ref), untilDone)
      const failure = made.failure ?? 'The database did not start'
      await settle(step, job, 'COMING_UP', 'INIT_FAILED', { address: null, failure })
    },

    'project.pause': async (job, step) => {
      const ended = await attempt(job, step, 'stop', async () => {
        await compute.stop(job.subject)
        return undefined
      })
      if (!ended.failure) return settle(step, job, 'PAUSING', 'INACTIVE')
      return settle(step, job, 'PAUSING', 'PAUSE_FAILED', { failure: ended.failure })
    },

    'project.resume': async (job, step) => {
      const started = await attempt(job, step, 'start', async () =>
        toAddress(await compute.start(job.subject)),
      )
      if (started.address) {
        return settle(step, job, 'RESTORING', 'ACTIVE_HEALTHY', { address: started.address })
      }
      await step('stop', () => compute.stop(job.subject), untilDone)
      const failure = started.failure ?? 'The database did not start'
      return settle(step, job, 'RESTORING', 'RESTORE_FAILED', { failure })
    },

    'project.restart': async (job, step) => {
      const started = await attempt(job, step, 'restart', async () =>
        toAddress(await compute.restart(job.subject)),
      )
      if (started.address) {
        return settle(step, job, 'RESTARTING', 'ACTIVE_HEALTHY', { address: started.address })
      }
      const failure = started.failure ?? 'The database did not start'
      return settle(step, job, 'RESTARTING', 'ACTIVE_UNHEALTHY', { failure })
    },

    'project.remove': async (job, step) => {
      await step('destroy', () => compute.destroy(job.subject), untilDone)
      await settle(step, job, 'GOING_DOWN', 'REMOVED', { address: null })
    },
  }
}

export const toAddress = (address: { socketDir: string; port: number }): ProjectAddress => ({
  host: address.socketDir,
  port: address.port,
})
