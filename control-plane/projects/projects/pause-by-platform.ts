import { movesInto } from '#contract/projects/project-status'
import type { Job } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import { projectIdentity } from './keys.ts'
import type { ProjectStore } from './store.ts'

type Deps = {
  store: Pick<ProjectStore, 'transaction' | 'transition'>
  record: RecordChange
  acceptJob: AcceptJob
  startJob: (job: Job) => Promise<void>
  log: Log
}

/** It does something to others, or nobody uses it; of a branch that is usual, and nobody is told. */
export type PauseCause = 'harm' | 'inactivity' | 'idle_branch'

/** Rolls back what was begun for a project that cannot be paused now. */
class Busy extends Error {}

/**
 * Pauses a project because of something that it does to others, or because nobody uses it. Who looks after it is told why, and can resume it. A project
 * at which a job is at work is left alone until the next time.
 */
export const createPauseByPlatform =
  ({ store, record, acceptJob, startJob, log }: Deps) =>
  async (ref: string, reason: string, cause: PauseCause = 'harm'): Promise<void> => {
    const job = await store
      .transaction(async (tx) => {
        const accepted = await acceptJob(tx, 'project.pause', ref)
        const from = movesInto('PAUSING')
        const row = await store.transition(tx, ref, from, 'PAUSING', { nextJob: accepted.id })
        if (!row) throw new Busy()
        await record(tx, {
          organizationId: row.organization_id,
          actor: null,
          action: 'projects.pauseByPlatform',
          target: projectIdentity(ref),
          change: { name: row.name, after: { status: 'PAUSING', reason, cause } },
          origin: null,
        })
        return accepted
      })
      .catch((error: unknown) => {
        if (error instanceof Busy) return undefined
        throw error
      })
    if (!job) return
    log.warn({ ref, reason }, 'a project is paused by the platform')
    await startJob(job)
  }
