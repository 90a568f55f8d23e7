import { sql } from 'kysely'
import type { Db } from '../../platform-database/database.ts'
import type { Figures } from '../../platform-database/tables-database.ts'

/** How long figures are kept, and how many looks of one project at most. */
const keptDays = 7
const maxSamples = 800

export function trendStore(db: Db) {
  return {
    /** Running projects that nobody has looked at since `before`, the one that waits longest first. */
    due: (before: Date, limit: number): Promise<{ id: string; ref: string }[]> =>
      db
        .selectFrom('platform.projects as project')
        .leftJoin(
          (e) =>
            e
              .selectFrom('platform.query_samples')
              .select(['project_id', sql<Date>`max(taken_at)`.as('last')])
              .groupBy('project_id')
              .as('sample'),
          (join) => join.onRef('sample.project_id', '=', 'project.id'),
        )
        .select(['project.id', 'project.ref'])
        .where('project.status', '=', 'ACTIVE_HEALTHY')
        .where((e) => e.or([e('sample.last', 'is', null), e('sample.last', '<', before)]))
        .orderBy('sample.last', (order) => order.asc().nullsFirst())
        .limit(limit)
        .execute(),

    last: async (projectId: string): Promise<Figures | undefined> =>
      (
        await db
          .selectFrom('platform.query_samples')
          .select('figures')
          .where('project_id', '=', projectId)
          .orderBy('taken_at', 'desc')
          .limit(1)
          .executeTakeFirst()
      )?.figures,

    async add(projectId: string, figures: Figures): Promise<void> {
      await db
        .insertInto('platform.query_samples')
        .values({ project_id: projectId, figures: JSON.stringify(figures) })
        .execute()
    },

    /** Nothing has run since the last look: that one now speaks for this moment too. */
    async touch(projectId: string): Promise<void> {
      await db
        .updateTable('platform.query_samples as sample')
        .set({ taken_at: new Date() })
        .where('project_id', '=', projectId)
        .where((e) =>
          e(
            'taken_at',
            '=',
            e
              .selectFrom('platform.query_samples')
              .select(sql<Date>`max(taken_at)`.as('last'))
              .where('project_id', '=', projectId),
          ),
        )
        .execute()
    },

    /** What is known of one statement, oldest first. */
    of: (ref: string, queryid: string) =>
      db
        .selectFrom('platform.query_samples as sample')
        .innerJoin('platform.projects as project', 'project.id', 'sample.project_id')
        .select([
          'sample.taken_at',
          sql<Figures[string] | null>`figures -> ${queryid}`.as('figure'),
        ])
        .where('project.ref', '=', ref)
        .orderBy('sample.taken_at', 'desc')
        .limit(maxSamples)
        .execute()
        .then((rows) => rows.toReversed()),

    async prune(): Promise<void> {
      await db
        .deleteFrom('platform.query_samples')
        .where('taken_at', '<', sql<Date>`now() - make_interval(days => ${keptDays})`)
        .execute()
    },
  }
}
export type TrendStore = ReturnType<typeof trendStore>
