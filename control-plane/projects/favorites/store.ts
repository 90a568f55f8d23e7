import type { Db } from '../../platform-database/database.ts'

export const favoriteStore = (db: Db) => ({
  async refs(userId: string): Promise<string[]> {
    const rows = await db
      .selectFrom('platform.favorites as favorite')
      .innerJoin('platform.projects as project', 'project.id', 'favorite.project_id')
      .select('project.ref')
      .where('favorite.user_id', '=', userId)
      .where('project.status', '<>', 'REMOVED')
      .orderBy('project.ref')
      .execute()
    return rows.map(({ ref }) => ref)
  },

  /** False: this person has as many as they can have. Again is fine. */
  add: (userId: string, ref: string, max: number): Promise<boolean> =>
    db.transaction().execute(async (tx) => {
      // Whoever marks two at once marks them one after the other, or both would be the last one.
      await tx
        .selectFrom('platform.profiles')
        .select('user_id')
        .where('user_id', '=', userId)
        .forNoKeyUpdate()
        .execute()
      await tx
        .insertInto('platform.favorites')
        .columns(['user_id', 'project_id'])
        .expression((e) =>
          e
            .selectFrom('platform.projects')
            .select((from) => [from.val(userId).as('user_id'), 'id'])
            .where('ref', '=', ref)
            .where((from) =>
              from(
                from
                  .selectFrom('platform.favorites as favorite')
                  .innerJoin('platform.projects as project', 'project.id', 'favorite.project_id')
                  .select((all) => all.fn.countAll<number>().as('count'))
                  .where('favorite.user_id', '=', userId)
                  .where('project.status', '<>', 'REMOVED'),
                '<',
                max,
              ),
            ),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const marked = await tx
        .selectFrom('platform.favorites as favorite')
        .innerJoin('platform.projects as project', 'project.id', 'favorite.project_id')
        .select('project.id')
        .where('favorite.user_id', '=', userId)
        .where('project.ref', '=', ref)
        .executeTakeFirst()
      return marked !== undefined
    }),

  async remove(userId: string, ref: string): Promise<void> {
    await db
      .deleteFrom('platform.favorites')
      .where('user_id', '=', userId)
      .where('project_id', 'in', (e) =>
        e.selectFrom('platform.projects').select('id').where('ref', '=', ref),
      )
      .execute()
  },
})
export type FavoriteStore = ReturnType<typeof favoriteStore>
