import type { DiagramLayout } from '#contract/database/diagram-layouts'
import type { Db } from '../../platform-database/database.ts'

/** Schemas are named by people: more layouts than this are kept for nobody. */
const maxLayouts = 100

export function diagramStore(db: Db) {
  const projectId = async (ref: string): Promise<string | undefined> =>
    (
      await db
        .selectFrom('platform.projects')
        .select('id')
        .where('ref', '=', ref)
        .where('status', '<>', 'REMOVED')
        .executeTakeFirst()
    )?.id

  return {
    projectId,

    /** The caller's own, and the one that is shared. */
    list: (project: string, userId: string, schema: string) =>
      db
        .selectFrom('platform.diagram_layouts as layout')
        .leftJoin('platform.profiles as author', 'author.user_id', 'layout.updated_by')
        .select(['layout.owner_id', 'layout.positions', 'layout.updated_at', 'author.username'])
        .where('layout.project_id', '=', project)
        .where('layout.schema_name', '=', schema)
        .where((e) => e.or([e('layout.owner_id', '=', userId), e('layout.owner_id', 'is', null)]))
        .execute(),

    /** `owner`: null for the one that is shared. The oldest go when there are too many. */
    async put(row: {
      project: string
      schema: string
      owner: string | null
      by: string
      positions: DiagramLayout['positions']
    }): Promise<Date> {
      const values = {
        positions: JSON.stringify(row.positions),
        updated_by: row.by,
        updated_at: new Date(),
      }
      return db.transaction().execute(async (tx) => {
        const { updated_at: at } = await tx
          .insertInto('platform.diagram_layouts')
          .values({
            ...values,
            project_id: row.project,
            schema_name: row.schema,
            owner_id: row.owner,
          })
          .onConflict((conflict) => conflict.constraint('diagram_layouts_one').doUpdateSet(values))
          .returning('updated_at')
          .executeTakeFirstOrThrow()
        const newest = tx
          .selectFrom('platform.diagram_layouts')
          .select('id')
          .where('project_id', '=', row.project)
          .where('owner_id', 'is not distinct from', row.owner)
          .orderBy('updated_at', 'desc')
          .limit(maxLayouts)
        await tx
          .deleteFrom('platform.diagram_layouts')
          .where('project_id', '=', row.project)
          .where('owner_id', 'is not distinct from', row.owner)
          .where('id', 'not in', newest)
          .execute()
        return at
      })
    },

    async remove(project: string, userId: string, schema: string): Promise<boolean> {
      const gone = await db
        .deleteFrom('platform.diagram_layouts')
        .where('project_id', '=', project)
        .where('owner_id', '=', userId)
        .where('schema_name', '=', schema)
        .executeTakeFirst()
      return gone.numDeletedRows > 0n
    },
  }
}
export type DiagramStore = ReturnType<typeof diagramStore>
