import type { TableLayout, TableView } from '#contract/database/table-views'
import type { Db } from '../../platform-database/database.ts'

export type TableViewStore = ReturnType<typeof tableViewStore>
export type OfTable = { ref: string; schema: string; table: string }
export type ViewValues = Pick<TableView, 'name' | 'visibility' | 'definition'>

export function tableViewStore(db: Db) {
  const projectId = async (ref: string): Promise<string | undefined> =>
    (
      await db
        .selectFrom('platform.projects')
        .select('id')
        .where('ref', '=', ref)
        .where('status', '<>', 'REMOVED')
        .executeTakeFirst()
    )?.id
  const viewColumns = ['id', 'name', 'visibility', 'owner_id', 'definition', 'updated_at'] as const

  return {
    projectId,

    views: (project: string, userId: string, { schema, table }: OfTable) =>
      db
        .selectFrom('platform.table_views')
        .select(viewColumns)
        .where('project_id', '=', project)
        .where('schema_name', '=', schema)
        .where('table_name', '=', table)
        .where((e) => e.or([e('owner_id', '=', userId), e('visibility', '=', 'project')]))
        .orderBy('name')
        .orderBy('id')
        .limit(500)
        .execute(),

    /** Undefined when the id is somebody else's or another project's. */
    async putView(
      row: ViewValues & OfTable & { id: string; project: string; userId: string },
    ): Promise<{ updated_at: Date } | undefined> {
      const definition = JSON.stringify(row.definition)
      const values = {
        name: row.name,
        visibility: row.visibility,
        definition,
        schema_name: row.schema,
        table_name: row.table,
        updated_at: new Date(),
      }
      return db
        .insertInto('platform.table_views')
        .values({ ...values, id: row.id, project_id: row.project, owner_id: row.userId })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet(values)
            .where('platform.table_views.owner_id', '=', row.userId)
            .where('platform.table_views.project_id', '=', row.project),
        )
        .returning('updated_at')
        .executeTakeFirst()
    },

    async removeView(project: string, userId: string, id: string): Promise<boolean> {
      const gone = await db
        .deleteFrom('platform.table_views')
        .where('id', '=', id)
        .where('owner_id', '=', userId)
        .where('project_id', '=', project)
        .executeTakeFirst()
      return gone.numDeletedRows > 0n
    },

    async layout(project: string, userId: string, { schema, table }: OfTable) {
      const row = await db
        .selectFrom('platform.table_layouts')
        .select('layout')
        .where('project_id', '=', project)
        .where('user_id', '=', userId)
        .where('schema_name', '=', schema)
        .where('table_name', '=', table)
        .executeTakeFirst()
      return row?.layout
    },

    async putLayout(project: string, userId: string, of: OfTable, layout: TableLayout) {
      const values = { layout: JSON.stringify(layout), updated_at: new Date() }
      await db
        .insertInto('platform.table_layouts')
        .values({
          ...values,
          project_id: project,
          user_id: userId,
          schema_name: of.schema,
          table_name: of.table,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['project_id', 'user_id', 'schema_name', 'table_name'])
            .doUpdateSet(values),
        )
        .execute()
    },

    lastUndo: (project: string, userId: string, { schema, table }: OfTable, since: Date) =>
      db
        .selectFrom('platform.row_undos')
        .select(['id', 'sealed_changes', 'count', 'applied_at'])
        .where('project_id', '=', project)
        .where('user_id', '=', userId)
        .where('schema_name', '=', schema)
        .where('table_name', '=', table)
        .where('applied_at', '>', since)
        .orderBy('applied_at', 'desc')
        .limit(1)
        .executeTakeFirst(),

    /** False when the id was taken. */
    async keepUndo(
      row: OfTable & { id: string; project: string; userId: string; sealed: string; count: number },
    ): Promise<boolean> {
      const made = await db
        .insertInto('platform.row_undos')
        .values({
          id: row.id,
          project_id: row.project,
          user_id: row.userId,
          schema_name: row.schema,
          table_name: row.table,
          sealed_changes: row.sealed,
          count: row.count,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst()
      return made !== undefined
    },

    async dropUndo(project: string, userId: string, id: string): Promise<boolean> {
      const gone = await db
        .deleteFrom('platform.row_undos')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('project_id', '=', project)
        .executeTakeFirst()
      return gone.numDeletedRows > 0n
    },

    async pruneUndos(before: Date): Promise<void> {
      await db.deleteFrom('platform.row_undos').where('applied_at', '<', before).execute()
    },
  }
}
