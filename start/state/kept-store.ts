import type { Db } from '#control-plane/platform-database/database'
import type { ProjectStatus } from '#contract/projects/project-status'

/** All statuses in which a project can have a server. */
const withServer: readonly ProjectStatus[] = [
  'ACTIVE_HEALTHY',
  'ACTIVE_UNHEALTHY',
  'INACTIVE',
  'PAUSING',
  'PAUSE_FAILED',
  'RESTARTING',
  'RESIZING',
  'UPGRADING',
  'RESTORING',
  'RESTORE_FAILED',
]

/** Projects that can have a server and files: also those that wait in the trash, from where they can come back. */
export async function keptRefs(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('platform.projects')
    .select('ref')
    .where((where) =>
      where.or([where('status', 'in', [...withServer]), where('deleted_at', 'is not', null)]),
    )
    .orderBy('id')
    .execute()
  return rows.map(({ ref }) => ref)
}

/** Nothing is kept of it, its passwords included. */
export const isForGood = ({
  status,
  deleted_at: deletedAt,
}: {
  status: string
  deleted_at: Date | null
}): boolean => status === 'REMOVED' && deletedAt === null
