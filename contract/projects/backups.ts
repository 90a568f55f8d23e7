import { z } from 'zod'
import { displayName, Instant, ProjectRef as ref, wholeNumber } from '../values.ts'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'

/** COMPLETED: it was read back in a server of its own, and the rows agreed (reliability rules). */
export const backupStatuses = ['PENDING', 'COMPLETED', 'FAILED', 'REMOVED'] as const
/**
 * Why there is one. `before_restore`: of what a restore was about to replace. `branch`: for a branch with the data of the project; it is
 * in no list, and goes when the branch has it.
 */
export const backupReasons = ['scheduled', 'manual', 'before_restore', 'branch'] as const

/** A backup of a project's whole server (facts §3.3). The first five stand there; the others are ours. */
export const Backup = z.object({
  id: z.number(),
  project_id: z.number(),
  inserted_at: Instant,
  status: z.enum(backupStatuses),
  isPhysicalBackup: z.boolean(),
  reason: z.enum(backupReasons),
  /** The database is restored as it was at this moment. */
  taken_at: Instant.nullable(),
  size_bytes: z.number().nullable(),
  /** What was read back of it. */
  tables: z.number().nullable(),
  rows: z.number().nullable(),
  /** Why it failed, in words for members. */
  failure: z.string().nullable(),
  /** From when on it may be removed. */
  expires_at: Instant,
})
export type Backup = z.infer<typeof Backup>

/** Between these the database can be restored to any moment; seconds since 1970. Absent: to none. */
const Window = z.object({
  earliestPhysicalBackupDateUnix: z.number().optional(),
  latestPhysicalBackupDateUnix: z.number().optional(),
})

export const Backups = z.object({
  region: z.string(),
  /** Of the organization, such as `tier_pro`. */
  tierKey: z.string(),
  /** False where the server is somebody else's and is backed up by whoever runs it. */
  walg_enabled: z.boolean(),
  pitr_enabled: z.boolean(),
  /** Newest first; those of the last days that failed as well. */
  backups: z.array(Backup),
  physicalBackupData: Window,
  /**
   * What the archive covers between these two, in seconds since 1970, oldest first. There is a gap between a restore and
   * the first backup after it.
   */
  recovery_windows: z.array(z.object({ from: z.number(), to: z.number() })),
  /** How long backups are kept: the days of the plan, or of point in time recovery where those are more; 0: not at all. */
  retention_days: z.number(),
  /** When the next scheduled one is due; null: none will be made as things are. */
  next_at: Instant.nullable(),
  /** False where backups are kept in many parts, and none can be downloaded as a file. */
  downloads: z.boolean(),
})
export type Backups = z.infer<typeof Backups>

/** A restore to a new project. */
export const Clone = z.object({
  id: z.number(),
  inserted_at: Instant,
  status: z.enum(['IN_PROGRESS', 'COMPLETED', 'FAILED', 'REMOVED']),
  target_project: z.object({ ref: z.string(), name: z.string() }),
  /** The moment whose state it got. */
  restored_to: Instant,
})
export type Clone = z.infer<typeof Clone>

const ByRef = z.object({ ref })
const path = '/platform/database/:ref/backups' as const
const restores = inProject('infra:Execute', 'queue_job.restore.prepare')
const sees = inProject('read:Read', 'back_ups')
const Id = z
  .number()
  .int()
  .min(1)
  .max(2 ** 52)
const Moment = z.number().int().min(0).max(4_102_444_800)

export const backups = {
  list: endpoint('backups.list', `GET ${path}`, { needs: sees, input: ByRef, returns: Backups }),
  /** Makes one now. It is a job: the answer is PENDING. One at a time for each project. */
  make: endpoint('backups.make', `POST ${path}`, {
    needs: inProject('write:Create', 'back_ups'),
    perMinute: 10,
    status: 201,
    input: ByRef,
    returns: Backup,
  }),
  downloadable: endpoint('backups.downloadable', `GET ${path}/downloadable-backups`, {
    needs: inProject('read:Read', 'back_ups.download'),
    input: ByRef,
    returns: z.object({ backups: z.array(Backup), status: z.enum(['ok', 'no-backups']) }),
  }),
  /** An address from which the file can be had for an hour, by whoever has it: a cluster of Postgres 17 as .tar.gz. */
  download: endpoint('backups.download', `POST ${path}/download`, {
    needs: inProject('read:Read', 'back_ups.download'),
    perMinute: 30,
    status: 201,
    input: ByRef.extend({ id: Id }),
    returns: z.object({ fileUrl: z.string() }),
  }),
  /** For whoever has the address; `token` says until when. */
  file: endpoint('backups.file', `GET ${path}/:id/file`, {
    needs: 'anyone',
    perMinute: 30,
    raw: true,
    input: ByRef.extend({ id: wholeNumber(1, 2 ** 52), token: z.string().min(1).max(400) }),
    returns: z.unknown(),
  }),
  /** Replaces the database of the project; what it is now is backed up first. The project is RESTORING meanwhile. */
  restore: endpoint('backups.restore', `POST ${path}/restore`, {
    needs: restores,
    perMinute: 10,
    status: 201,
    input: ByRef.extend({ id: Id }),
    returns: z.object({}),
  }),
  pitr: endpoint('backups.pitr', `POST ${path}/pitr`, {
    needs: inProject('infra:Execute', 'queue_job.walg.prepare_restore'),
    perMinute: 10,
    status: 201,
    input: ByRef.extend({ recovery_time_target_unix: Moment }),
    returns: z.object({}),
  }),
  /** What a new project could be made from, and what it would be. */
  cloneable: endpoint('backups.cloneable', 'GET /platform/database/:ref/clone', {
    needs: sees,
    input: ByRef,
    returns: Backups.extend({
      target_compute_size: z.string(),
      target_volume_size_gb: z.number(),
    }),
  }),
  /** Makes a project of the same organization with the database of this one. Who does it may create projects, too. */
  clone: endpoint('backups.clone', 'POST /platform/database/:ref/clone', {
    needs: restores,
    perMinute: 10,
    status: 201,
    input: ByRef.extend({
      newProjectName: displayName(3, 64),
      newDbPass: z.string().min(1).max(99, 'Password should be less than 100 characters'),
      /** One of the two. */
      cloneBackupId: Id.optional(),
      recoveryTimeTarget: Moment.optional(),
    }).refine(
      ({ cloneBackupId, recoveryTimeTarget }) =>
        (cloneBackupId === undefined) !== (recoveryTimeTarget === undefined),
      'Name a backup or a moment',
    ),
    returns: z.object({ ref: z.string() }),
  }),
  cloneStatus: endpoint('backups.cloneStatus', 'GET /platform/database/:ref/clone/status', {
    needs: sees,
    input: ByRef,
    /** Newest first. */
    returns: z.object({ clones: z.array(Clone) }),
  }),
}
