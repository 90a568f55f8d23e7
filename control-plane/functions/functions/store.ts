import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { ServicesTables } from '../../platform-database/tables-services.ts'

export type FunctionRow = Selectable<ServicesTables['platform.functions']>
export type VersionRow = Selectable<ServicesTables['platform.function_versions']>
/** A function with what its active version says. */
export type ActiveFunction = FunctionRow & {
  entrypoint_path: string | null
  import_map_path: string | null
  sha256: string | null
  version_id: string | null
}
export type StoredFile = { path: string; content: Buffer }

export const functionStore = (db: Db) => ({
  /** What the data plane is told beside the functions. */
  project: (ref: string) =>
    db
      .selectFrom('platform.projects as project')
      .innerJoin('platform.organizations as owner', 'owner.id', 'project.organization_id')
      .select(['project.id', 'project.region', 'owner.tier'])
      .where('project.ref', '=', ref)
      .where('project.status', '<>', 'REMOVED')
      .executeTakeFirst(),

  list: (ref: string, from: Db | Tx = db): Promise<ActiveFunction[]> =>
    from
      .selectFrom('platform.functions as function')
      .innerJoin('platform.projects as project', 'project.id', 'function.project_id')
      .leftJoin('platform.function_versions as version', (join) =>
        join
          .onRef('version.function_id', '=', 'function.id')
          .onRef('version.version', '=', 'function.version'),
      )
      .selectAll('function')
      .select([
        'version.id as version_id',
        'version.entrypoint_path',
        'version.import_map_path',
        'version.sha256',
      ])
      .where('project.ref', '=', ref)
      .orderBy('function.slug')
      .orderBy('function.removed_at')
      .execute(),

  create: (tx: Tx, row: Insertable<ServicesTables['platform.functions']>): Promise<FunctionRow> =>
    tx.insertInto('platform.functions').values(row).returningAll().executeTakeFirstOrThrow(),

  async update(tx: Tx, id: string, values: Updateable<ServicesTables['platform.functions']>) {
    await tx
      .updateTable('platform.functions')
      .set({ ...values, updated_at: new Date() })
      .where('id', '=', id)
      .execute()
  },

  async addVersion(
    tx: Tx,
    row: Insertable<ServicesTables['platform.function_versions']>,
    files: readonly StoredFile[],
  ): Promise<void> {
    const { id } = await tx
      .insertInto('platform.function_versions')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('platform.function_files')
      .values(files.map((file) => ({ ...file, version_id: id })))
      .execute()
  },

  /** The newest first. */
  versions: (functionId: string, from: Db | Tx = db): Promise<VersionRow[]> =>
    from
      .selectFrom('platform.function_versions')
      .selectAll()
      .where('function_id', '=', functionId)
      .orderBy('version', 'desc')
      .execute(),

  files: (versionId: string): Promise<StoredFile[]> =>
    db
      .selectFrom('platform.function_files')
      .select(['path', 'content'])
      .where('version_id', '=', versionId)
      .orderBy('path')
      .execute(),

  version: (versionId: string): Promise<VersionRow | undefined> =>
    db
      .selectFrom('platform.function_versions')
      .selectAll()
      .where('id', '=', versionId)
      .executeTakeFirst(),
})
export type FunctionStore = ReturnType<typeof functionStore>
