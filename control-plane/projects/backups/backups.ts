import type { Backup, Backups } from '#contract/projects/backups'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Job } from '#kit/jobs'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { Keeping } from './compute.ts'
import { day, keptDays, nextDue, recoveryDays, tierDays, windowsKept } from './retention.ts'
import { shapeBackup } from './shape.ts'
import type { BackupRow, BackupStore, Subject } from './store.ts'
import type { Subjects } from './subjects.ts'

type Deps = {
  store: BackupStore
  subjects: Subjects
  keeping: Keeping | undefined
  record: RecordChange
  acceptJob: AcceptJob
  startJob: (job: Job) => Promise<void>
  now: () => Date
}

/** What is kept of a project, and making one more. */
export function createBackups(deps: Deps) {
  const { store, keeping, now } = deps
  const { subjectOf, served } = deps.subjects

  async function windowsOf({ ref, recovery }: Subject): Promise<Backups['recovery_windows']> {
    if (!keeping || recovery === null) return []
    return windowsKept(await keeping.windows(ref), recoveryDays(recovery), now())
  }

  function dueOf(subject: Subject, rows: readonly BackupRow[]): string | null {
    const none = !keeping || tierDays(subject.tier) === 0 || subject.status !== 'ACTIVE_HEALTHY'
    if (none) return null
    return new Date(Math.max(now().getTime(), nextDue(subject, rows).getTime())).toISOString()
  }

  async function list(ref: string): Promise<Backups> {
    const subject = await subjectOf(ref)
    const rows = await store.list(subject.id)
    const windows = await windowsOf(subject)
    const [first, last] = [windows[0], windows.at(-1)]
    return {
      region: subject.region,
      tierKey: subject.tier,
      walg_enabled: keeping !== undefined,
      pitr_enabled: keeping !== undefined && subject.recovery !== null,
      backups: rows.map(shapeBackup),
      physicalBackupData:
        first && last
          ? {
              earliestPhysicalBackupDateUnix: first.from,
              latestPhysicalBackupDateUnix: last.to,
            }
          : {},
      recovery_windows: windows,
      retention_days: keeping ? keptDays(subject) : 0,
      next_at: dueOf(subject, rows),
      downloads: keeping?.read !== undefined,
    }
  }

  /** When one that is made now begins, and how long it is kept. */
  const spanFor = (subject: Subject) => ({
    insertedAt: now(),
    expiresAt: new Date(now().getTime() + keptDays(subject) * day),
  })

  /** Accepts the job that makes it; undefined while another one is being made. */
  async function accept(tx: Tx, subject: Subject, reason: 'scheduled' | 'manual') {
    const row = await store.insert(tx, { projectId: subject.id, reason, ...spanFor(subject) })
    return row && { row, job: await deps.acceptJob(tx, 'backup.make', row.id) }
  }

  async function completed(subject: Subject, id: number): Promise<BackupRow & { taken_at: Date }> {
    const row = await store.find(subject.id, id)
    if (!row) throw new ApiError('backup_not_found')
    const { taken_at } = row
    if (row.status !== 'COMPLETED' || taken_at === null) throw new ApiError('backup_not_completed')
    return { ...row, taken_at }
  }

  return {
    list,
    windowsOf,
    accept,
    spanFor,
    completed,

    async make(caller: Caller, ref: string, origin: Origin): Promise<Backup> {
      await served(ref)
      const { row, job } = await store.transaction(async (tx) => {
        await store.lock(tx, ref)
        const subject = await store.subject(ref, tx)
        if (!subject) throw new ApiError('project_not_found')
        if (subject.status !== 'ACTIVE_HEALTHY') throw new ApiError('project_busy')
        const accepted = await accept(tx, subject, 'manual')
        if (!accepted) throw new ApiError('backup_running')
        await deps.record(tx, {
          organizationId: subject.organization_id,
          actor: caller,
          action: 'backups.make',
          target: `project:${ref}`,
          change: { after: { backup: Number(accepted.row.id) } },
          origin,
        })
        return accepted
      })
      await deps.startJob(job)
      return shapeBackup(row)
    },
  }
}
export type BackupList = ReturnType<typeof createBackups>
