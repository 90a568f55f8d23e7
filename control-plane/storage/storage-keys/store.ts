import type { Insertable } from 'kysely'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { ServicesTables } from '../../platform-database/tables-services.ts'

export type StorageKeyRow = {
  id: string
  description: string
  access_key: string
  created_at: Date
  created_by: string | null
}

export function storageKeyStore(db: Db) {
  return {
    /** The oldest first, with the address of who made each. */
    ofProject: (ref: string, from: Db | Tx = db): Promise<StorageKeyRow[]> =>
      from
        .selectFrom('platform.storage_keys as key')
        .innerJoin('platform.projects as project', 'project.id', 'key.project_id')
        .leftJoin('platform.profiles as profile', (join) =>
          join.onRef('profile.user_id', '=', 'key.created_by').on('profile.deleted_at', 'is', null),
        )
        .select([
          'key.id',
          'key.description',
          'key.access_key',
          'key.created_at',
          'profile.primary_email as created_by',
        ])
        .where('project.ref', '=', ref)
        .where('project.status', '<>', 'REMOVED')
        .orderBy('key.created_at')
        .orderBy('key.id')
        .execute(),

    sealed: (projectId: string) =>
      db
        .selectFrom('platform.storage_keys')
        .select(['id', 'access_key', 'sealed_secret'])
        .where('project_id', '=', projectId)
        .orderBy('created_at')
        .execute(),

    async insert(tx: Tx, row: Insertable<ServicesTables['platform.storage_keys']>): Promise<void> {
      await tx.insertInto('platform.storage_keys').values(row).execute()
    },

    async remove(tx: Tx, id: string): Promise<void> {
      await tx.deleteFrom('platform.storage_keys').where('id', '=', id).execute()
    },
  }
}
export type StorageKeyStore = ReturnType<typeof storageKeyStore>
