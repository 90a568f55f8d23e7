import { sql, type SqlBool } from 'kysely'
import { keptSqlRuns, type SqlRun } from '#contract/database/sql/sql-history'
import type { Db } from '../../platform-database/database.ts'

export type SqlHistoryStore = ReturnType<typeof sqlHistoryStore>
type Mine = { ref: string; userId: string }

export function sqlHistoryStore(db: Db) {
  const mine = ({ ref, userId }: Mine) =>
    db
      .selectFrom('platform.sql_runs as run')
      .innerJoin('platform.projects as project', 'project.id', 'run.project_id')
      .where('project.ref', '=', ref)
      .where('run.user_id', '=', userId)

  return {
    list(
      who: Mine,
      {
        limit,
        before,
        search,
      }: { limit: number; before?: Date | undefined; search?: string | undefined },
    ) {
      let query = mine(who)
      // The clock knows microseconds and an instant milliseconds: the last one seen must not come again.
      if (before)
        query = query.where(sql<SqlBool>`date_trunc('milliseconds', run.started_at) < ${before}`)
      if (search)
        query = query.where(
          sql<SqlBool>`(position(lower(${search}) in lower(run.name)) > 0 or position(lower(${search}) in lower(run.sql)) > 0)`,
        )
      return query
        .selectAll('run')
        .orderBy('run.started_at', 'desc')
        .orderBy('run.id')
        .limit(limit)
        .execute()
    },

    /** False when there is no such project. A run that is known already gets its ending. */
    async put({ ref, userId }: Mine, run: Omit<SqlRun, 'started_at'>): Promise<boolean> {
      const project = await db
        .selectFrom('platform.projects')
        .select('id')
        .where('ref', '=', ref)
        .where('status', '<>', 'REMOVED')
        .executeTakeFirst()
      if (!project) return false
      const { status, ms, rows, error } = run
      await db
        .insertInto('platform.sql_runs')
        .values({
          ...run,
          parameters: JSON.stringify(run.parameters),
          project_id: project.id,
          user_id: userId,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['project_id', 'user_id', 'id'])
            .doUpdateSet({ status, ms, rows, error }),
        )
        .execute()
      return true
    },

    /** Forgets all but the newest runs of this person in this project. */
    prune: (who: Mine) =>
      db
        .deleteFrom('platform.sql_runs')
        .where('user_id', '=', who.userId)
        .where(
          'id',
          'in',
          mine(who).select('run.id').orderBy('run.started_at', 'desc').offset(keptSqlRuns),
        )
        .where('project_id', 'in', (e) =>
          e.selectFrom('platform.projects').select('id').where('ref', '=', who.ref),
        )
        .execute(),

    clear: ({ ref, userId }: Mine) =>
      db
        .deleteFrom('platform.sql_runs')
        .where('user_id', '=', userId)
        .where('project_id', 'in', (e) =>
          e.selectFrom('platform.projects').select('id').where('ref', '=', ref),
        )
        .execute(),
  }
}
