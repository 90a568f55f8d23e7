import { v1 } from '#contract/v1/v1'
import { implement } from '#kit/http'
import type { BackupList } from './backups.ts'
import type { Restores } from './restores.ts'

type Parts = { backups: BackupList; restores: Restores }

/** The Management API's way to backups and moments. */
export const recoveryRoutes = ({ backups, restores }: Parts) => [
  implement(v1.backups, async ({ ref }) => {
    const found = await backups.list(ref)
    const { earliestPhysicalBackupDateUnix: earliest, latestPhysicalBackupDateUnix: latest } =
      found.physicalBackupData
    return {
      region: found.region,
      walg_enabled: found.walg_enabled,
      pitr_enabled: found.pitr_enabled,
      backups: found.backups.map(({ id, inserted_at, status, isPhysicalBackup }) => ({
        id,
        inserted_at,
        status,
        is_physical_backup: isPhysicalBackup,
      })),
      physical_backup_data: {
        earliest_physical_backup_date_unix: earliest,
        latest_physical_backup_date_unix: latest,
      },
    }
  }),
  implement(v1.restorePitr, async ({ ref, recovery_time_target_unix: at }, caller, origin) => {
    await restores.restore(v1.restorePitr.name, caller, ref, { at }, origin)
    return {}
  }),
]
