import type { Platform } from '../../platform.ts'
import { createBackupAdoption } from './adopt.ts'
import { createBackups } from './backups.ts'
import { createClones } from './clones.ts'
import { createDownloads } from './downloads.ts'
import { createKeeping, type BackupNeeds } from './keeping.ts'
import { recoveryRoutes } from './recovery-routes.ts'
import { recoveryStore } from './recovery-store.ts'
import { createRecovery } from './recovery.ts'
import { restoreStore } from './restore-store.ts'
import { createRestores } from './restores.ts'
import { backupRoutes } from './routes.ts'
import { backupStore } from './store.ts'
import { createSubjects } from './subjects.ts'

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
    isClone: restored.isClone,
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
      ...recoveryRoutes({ backups, restores, recovery }),
    ],
    round: async () => kept?.rounds.backups(),
    filesRound: async () => kept?.rounds.files(),
  }
}
