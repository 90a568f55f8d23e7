import { movesInto, type ProjectStatus } from '#contract/projects/project-status'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Job } from '#kit/jobs'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { BackupList } from './backups.ts'
import type { RestoreStore } from './restore-store.ts'
import { covers } from './retention.ts'
import type { BackupStore, Subject } from './store.ts'
import type { Subjects } from './subjects.ts'

/** A backup by its id, or a moment in seconds since 1970. */
export type Requested = { id: number } | { at: number }
/** What of a restore's row says from where it is, and the moment whose state that is. */
export type Origins = { backup_id: string | null; until: Date | null; restored_to: Date }

/** @throws ApiError when the organization may not have the project running */
export type Admit = (
  tx: Tx,
  input: { organizationId: string; callerId: string; ref: string },
) => Promise<void>
/** Undefined when the project is in none of these, or another job owns it. */
export type MoveProject = (
  tx: Tx,
  ref: string,
  from: readonly ProjectStatus[],
  to: ProjectStatus,
  move: { nextJob: string },
) => Promise<unknown>

type Deps = {
  store: BackupStore
  restores: RestoreStore
  subjects: Subjects
  backups: Pick<BackupList, 'completed' | 'windowsOf' | 'spanFor'>
  record: RecordChange
  acceptJob: AcceptJob
  startJob: (job: Job) => Promise<void>
  admit: Admit
  move: MoveProject
}

/** Restores in place: what is wanted is looked for, and the project is the job's from then on. */
export function createRestores({ store, restores, subjects, backups, ...deps }: Deps) {
  async function originsOf(subject: Subject, requested: Requested): Promise<Origins> {
    if ('id' in requested) {
      const { id, taken_at } = await backups.completed(subject, requested.id)
      return { backup_id: id, until: null, restored_to: taken_at }
    }
    if (subject.recovery === null) throw new ApiError('recovery_off')
    if (!covers(await backups.windowsOf(subject), requested.at)) {
      throw new ApiError('moment_not_covered')
    }
    const until = new Date(requested.at * 1000)
    return { backup_id: null, until, restored_to: until }
  }

  return {
    originsOf,

    async restore(
      action: string,
      caller: Caller,
      ref: string,
      requested: Requested,
      origin: Origin,
    ): Promise<void> {
      const origins = await originsOf((await subjects.served(ref)).subject, requested)
      const job = await store.transaction(async (tx) => {
        await store.lock(tx, ref)
        const subject = await store.subject(ref, tx)
        if (!subject) throw new ApiError('project_not_found')
        const { organization_id: organizationId } = subject
        await deps.admit(tx, { organizationId, callerId: caller.userId, ref })
        const accepted = await deps.acceptJob(tx, 'project.restore-backup', ref)
        const from = movesInto('RESTORING')
        const moved = await deps.move(tx, ref, from, 'RESTORING', { nextJob: accepted.id })
        if (!moved) throw new ApiError('project_busy')
        const safety = await store.insert(tx, {
          projectId: subject.id,
          reason: 'before_restore',
          ...backups.spanFor(subject),
        })
        if (!safety) throw new ApiError('backup_running')
        await restores.insert(tx, {
          ...origins,
          project_id: subject.id,
          source_id: subject.id,
          came_from: subject.status,
          safety_id: safety.id,
        })
        await deps.record(tx, {
          organizationId,
          actor: caller,
          action,
          target: `project:${ref}`,
          change: {
            before: { status: subject.status },
            after: {
              status: 'RESTORING',
              restored_to: origins.restored_to.toISOString(),
              ...(origins.backup_id === null ? {} : { backup: Number(origins.backup_id) }),
            },
          },
          origin,
        })
        return accepted
      })
      await deps.startJob(job)
    },
  }
}
export type Restores = ReturnType<typeof createRestores>
