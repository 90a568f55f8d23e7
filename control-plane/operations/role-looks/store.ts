import { sql } from 'kysely'
import type { RoleLook } from '#compute/provider'
import type { Db } from '../../platform-database/database.ts'

export type RoleLookStore = ReturnType<typeof roleLookStore>

export const roleLookStore = (db: Db) => ({
  /** In the place of what an earlier look has found; a project that is gone meanwhile needs nothing. */
  async keep(ref: string, { findings, failure }: RoleLook): Promise<void> {
    const values = {
      looked_at: new Date(),
      findings: JSON.stringify(findings),
      failure: failure ?? null,
    }
    await db
      .insertInto('platform.role_looks')
      .columns(['project_id', 'looked_at', 'findings', 'failure'])
      .expression((from) =>
        from
          .selectFrom('platform.projects')
          .where('ref', '=', ref)
          .select((e) => [
            'id',
            e.val(values.looked_at).as('looked_at'),
            sql<string>`${values.findings}::jsonb`.as('findings'),
            e.val(values.failure).as('failure'),
          ]),
      )
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
      .execute()
  },

  /** Of projects that are there; those with nothing to tell too. */
  list: () =>
    db
      .selectFrom('platform.role_looks as look')
      .innerJoin('platform.projects as project', 'project.id', 'look.project_id')
      .where('project.status', '<>', 'REMOVED')
      .select(['project.ref', 'project.name', 'look.looked_at', 'look.findings', 'look.failure'])
      .orderBy('project.id')
      .execute(),
})
