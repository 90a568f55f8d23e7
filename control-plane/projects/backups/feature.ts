import type { Platform } from '../../platform.ts'
import { createBackups, type BackupList } from './backups.ts'
import { createClones, type Clones } from './clones.ts'
import { createDownloads, type Downloads } from './downloads.ts'
import { createKeeping, type BackupNeeds } from './keeping.ts'
import { recoveryRoutes } from './recovery-routes.ts'
import { recoveryStore } from './recovery-store.ts'
import { createRecovery } from './recovery.ts'
import { pace, tierDays } from './retention.ts'
import { restoreStore } from './restore-store.ts'
import { createRestores, type Restores } from './restores.ts'
import { backupStore, type BackupStore } from './store.ts'
import { createSubjects } from './subjects.ts'
import { tiers } from '#contract/billing/plans'
import { ApiError } from '#kit/errors'
import type { Job } from '#kit/jobs'
import type { CopyChanges } from '#compute/provider'
import type { Tx } from '../../platform-database/database.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { Keeping } from './compute.ts'
import { backups as api } from '#contract/projects/backups'
import { implement, implementRaw } from '#kit/http'

/** Backups of projects, and restores of them. */
export function backupsFeature(platform: Platform, needs: BackupNeeds) {
  const { db, record, jobs, projects, compute, secrets, each, url, now } = platform
  const { backups: keeping } = compute
  const store = backupStore(db)
  const restored = restoreStore(db)
  const subjects = createSubjects(store, keeping)
  const { accept: acceptJob, start: startJob } = jobs
  const orders = { admit: needs.admit, move: projects.transition }
  const common = { store, subjects, record, acceptJob, startJob, now, ...orders }
  const backups = createBackups({ ...common, keeping })
  const restores = createRestores({ ...common, restores: restored, backups })
  const recovery = createRecovery({ ...common, recovery: recoveryStore(db), each })
  const kept = keeping && createKeeping(platform, needs, { keeping, backups, recovery })
  const { completed } = backups

  return {
    creationOf: restored.creationOf,
    /** Copies of running projects: ordered with the project that they are for, and made by a job of it. */
    copies: kept && {
      wholeOnly: () => keeping?.wholeCopiesOnly === true,
      order: (tx: Tx, of: { projectId: string; sourceId: string; changes: CopyChanges }) =>
        restored.insertCopy(tx, { ...of, at: now() }),
      make: kept.copy,
      last: restored.copyOf,
    },
    /** Switches point in time recovery. */
    recovery: { set: recovery.set, remove: recovery.remove },
    /** What was promised of scheduled ones; undefined where somebody else keeps them. */
    promise: kept && {
      days: Object.fromEntries(tiers.map((tier) => [tier, tierDays(tier)])),
      betweenMs: pace.between,
      atFirstMs: pace.atFirst,
    },
    adopt: createBackupAdoption({ ...common, keeping, spanFor: backups.spanFor }),
    workflows: kept?.workflows ?? {},
    rounds: kept
      ? [
          { seconds: 60, name: 'backups', run: kept.rounds.backups },
          { seconds: 3600, name: 'files of backups', run: kept.rounds.files },
        ]
      : [],
    routes: [
      ...backupRoutes({
        backups,
        restores,
        downloads: createDownloads({ ...common, completed, keeping, secrets, url }),
        clones: createClones({
          ...common,
          restores: restored,
          list: backups.list,
          originsOf: restores.originsOf,
          volumeSizeGb: needs.volumeSizeGb,
          newProject: needs.newProject,
        }),
      }),
      ...recoveryRoutes({ backups, restores }),
    ],
    round: async () => kept?.rounds.backups(),
    filesRound: async () => kept?.rounds.files(),
  }
}

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
const createBackupAdoption =
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

type Parts = { backups: BackupList; downloads: Downloads; restores: Restores; clones: Clones }

const backupRoutes = ({ backups, downloads, restores, clones }: Parts) => [
  implement(api.list, ({ ref }) => backups.list(ref)),
  implement(api.make, ({ ref }, caller, origin) => backups.make(caller, ref, origin)),
  implement(api.downloadable, ({ ref }) => downloads.downloadable(ref)),
  implement(api.download, ({ ref, id }, caller, origin) =>
    downloads.addressOf(caller, ref, id, origin),
  ),
  implementRaw(api.file, async ({ ref, id, token }, _caller, { reply }) => {
    const { stream, bytes, name } = await downloads.file(ref, id, token)
    return reply
      .type('application/gzip')
      .header('content-length', String(bytes))
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(stream)
  }),
  implement(api.restore, async ({ ref, id }, caller, origin) => {
    await restores.restore(api.restore.name, caller, ref, { id }, origin)
    return {}
  }),
  implement(api.pitr, async ({ ref, recovery_time_target_unix: at }, caller, origin) => {
    await restores.restore(api.pitr.name, caller, ref, { at }, origin)
    return {}
  }),
  implement(api.cloneable, ({ ref }) => clones.cloneable(ref)),
  implement(api.clone, (input, caller, origin) => clones.clone(caller, input, origin)),
  implement(api.cloneStatus, ({ ref }) => clones.clones(ref)),
]
