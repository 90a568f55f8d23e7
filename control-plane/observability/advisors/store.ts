import { sql } from 'kysely'
import type { LintName } from '#contract/observability/lints'
import type { Db, Tx } from '../../platform-database/database.ts'

export type NewException = {
  projectId: string
  lintName: LintName
  cacheKey: string | null
  userId: string | null
  note: string
  createdBy: string
}

export function advisorStore(db: Db) {
  const withAuthor = (from: Db | Tx = db) =>
    from
      .selectFrom('platform.advisor_exceptions as exception')
      .innerJoin('platform.projects as project', 'project.id', 'exception.project_id')
      .innerJoin('platform.profiles as author', 'author.user_id', 'exception.created_by')
      .select([
        'exception.id',
        'exception.lint_name',
        'exception.cache_key',
        'exception.user_id',
        'exception.note',
        'exception.inserted_at',
        'author.primary_email as created_by',
      ])

  /** Those for everybody and those of this person. */
  const seenBy = (ref: string, userId: string, from: Db | Tx = db) =>
    withAuthor(from)
      .where('project.ref', '=', ref)
      .where((e) => e.or([e('exception.user_id', 'is', null), e('exception.user_id', '=', userId)]))

  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    project: (tx: Tx, ref: string) =>
      tx
        .selectFrom('platform.projects')
        .select(['id', 'organization_id'])
        .where('ref', '=', ref)
        .where('status', '<>', 'REMOVED')
        .executeTakeFirst(),

    list: (ref: string, userId: string) =>
      seenBy(ref, userId)
        .orderBy('exception.inserted_at', 'desc')
        .orderBy('exception.id')
        .execute(),

    find: (ref: string, userId: string, id: string, from?: Tx) =>
      seenBy(ref, userId, from).where('exception.id', '=', id).executeTakeFirst(),

    /** The same once more changes its note, and keeps who made it. */
    async put(tx: Tx, made: NewException): Promise<string> {
      const row = await tx
        .insertInto('platform.advisor_exceptions')
        .values({
          project_id: made.projectId,
          lint_name: made.lintName,
          cache_key: made.cacheKey,
          user_id: made.userId,
          note: made.note,
          created_by: made.createdBy,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['project_id', 'lint_name', 'cache_key', 'user_id'])
            .doUpdateSet({ note: made.note }),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
      return row.id
    },

    remove: async (tx: Tx, id: string): Promise<void> => {
      await tx.deleteFrom('platform.advisor_exceptions').where('id', '=', id).execute()
    },

    /** How many people can administer the organization of a project. */
    async administrators(ref: string): Promise<number> {
      const { count } = await db
        .selectFrom('platform.members as member')
        .innerJoin(
          'platform.projects as project',
          'project.organization_id',
          'member.organization_id',
        )
        .select(sql<string>`count(*)`.as('count'))
        .where('project.ref', '=', ref)
        .where('member.role', 'in', ['Owner', 'Administrator'])
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}
export type AdvisorStore = ReturnType<typeof advisorStore>
