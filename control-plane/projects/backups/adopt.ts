import { ApiError } from '#kit/errors'
import type { Job } from '#kit/jobs'
import type { Tx } from '../../platform-database/database.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { BackupList } from './backups.ts'
import type { Keeping } from './compute.ts'
import type { BackupStore } from './store.ts'

type Deps = {
  store: BackupStore
  keeping: Keeping | undefined
  acceptJob: AcceptJob
  spanFor: BackupList['spanFor']
}

/**
 * Gives a backup whose file is there a row again. It counts as one that somebody has made now, so it is kept for all the
 * days of the plan, and is completed once it was read back.
 */
export const createBackupAdoption =
  ({ store, keeping, acceptJob, spanFor }: Deps) =>
  async (tx: Tx, ref: string, id: string): Promise<{ organizationId: string; job: Job }> => {
    await store.lock(tx, ref)
    const subject = await store.subject(ref, tx)
    if (!subject || !keeping) throw new ApiError('project_not_found')
    if (!(await keeping.list(ref)).includes(id)) throw new ApiError('orphan_not_found')
    const facts = await keeping.facts({ ref, id })
    const row = { projectId: subject.id, ...spanFor(subject), ...facts }
    if (!(await store.adopt(tx, id, row))) throw new ApiError('backup_running')
    return {
      organizationId: subject.organization_id,
      job: await acceptJob(tx, 'backup.adopt', id),
    }
  }
