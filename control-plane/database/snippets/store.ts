import { sql, type SqlBool } from 'kysely'
import type { Snippet, SnippetType } from '#contract/database/snippets'
import type { Db, Tx } from '../../platform-database/database.ts'

export type SnippetStore = ReturnType<typeof snippetStore>
type SortBy = 'name' | 'inserted_at' | 'updated_at'
export type SnippetList = {
  ref: string
  userId: string
  type: SnippetType
  visibility: 'user' | 'project' | undefined
  favorite: boolean | undefined
  name: string | undefined
  /** An id, or `none` for what is in no folder. */
  folder: string | undefined
  sortBy: SortBy
  descending: boolean
  limit: number
  after: { key: string; id: string } | undefined
}
export type SnippetValues = {
  name: string
  description: string | null
  visibility: 'user' | 'project'
  content: Snippet['content']
}

/** What a list is sorted by, as text that a cursor can carry without losing a microsecond. */
const sortKey: Record<SortBy, ReturnType<typeof sql<string>>> = {
  name: sql<string>`lower(snippet.name)`,
  inserted_at: sql<string>`to_char(snippet.inserted_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`,
  updated_at: sql<string>`to_char(snippet.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`,
}

export function snippetStore(db: Db) {
  /** Those of the project that the user may read: their own and the shared ones. */
  const readable = (ref: string, userId: string, from: Db | Tx = db) =>
    from
      .selectFrom('platform.snippets as snippet')
      .innerJoin('platform.projects as project', 'project.id', 'snippet.project_id')
      .innerJoin('platform.profiles as owner', 'owner.user_id', 'snippet.owner_id')
      .leftJoin('platform.snippet_favorites as mark', (join) =>
        join.onRef('mark.snippet_id', '=', 'snippet.id').on('mark.user_id', '=', userId),
      )
      .where('project.ref', '=', ref)
      .where((e) =>
        e.or([e('snippet.owner_id', '=', userId), e('snippet.visibility', '=', 'project')]),
      )
  const columns = [
    'snippet.id',
    'snippet.name',
    'snippet.description',
    'snippet.type',
    'snippet.visibility',
    'snippet.owner_id',
    'snippet.project_id',
    'snippet.revision',
    'snippet.folder_id',
    'snippet.inserted_at',
    'snippet.updated_at',
    'owner.id as owner_number',
    'owner.username',
    'mark.user_id as marked_by',
  ] as const
  const named = (name: string) => sql<SqlBool>`position(lower(${name}) in lower(snippet.name)) > 0`

  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    projectId: async (ref: string): Promise<string | undefined> =>
      (
        await db
          .selectFrom('platform.projects')
          .select('id')
          .where('ref', '=', ref)
          .where('status', '<>', 'REMOVED')
          .executeTakeFirst()
      )?.id,

    /** The project of a ref. */
    home: (ref: string) =>
      db
        .selectFrom('platform.projects')
        .select(['id', 'ref', 'name'])
        .where('ref', '=', ref)
        .where('status', '<>', 'REMOVED')
        .executeTakeFirst(),

    /** The project that a snippet is in, whoever may read it. */
    homeOf: (id: string) =>
      db
        .selectFrom('platform.snippets as snippet')
        .innerJoin('platform.projects as project', 'project.id', 'snippet.project_id')
        .select(['project.id', 'project.ref', 'project.name'])
        .where('snippet.id', '=', id)
        .where('project.status', '<>', 'REMOVED')
        .executeTakeFirst(),

    list(input: SnippetList) {
      const key = sortKey[input.sortBy]
      const direction = input.descending ? 'desc' : 'asc'
      const { after, visibility, favorite, name } = input
      let query = readable(input.ref, input.userId)
        .select(columns)
        .select(key.as('sort_key'))
        .where('snippet.type', '=', input.type)
      if (visibility) query = query.where('snippet.visibility', '=', visibility)
      if (favorite !== undefined)
        query = query.where('mark.user_id', favorite ? 'is not' : 'is', null)
      if (name) query = query.where(named(name))
      if (input.folder) {
        query = query.where('snippet.owner_id', '=', input.userId)
        query =
          input.folder === 'none'
            ? query.where('snippet.folder_id', 'is', null)
            : query.where('snippet.folder_id', '=', input.folder)
      }
      if (after) {
        query = query.where(
          input.descending
            ? sql<SqlBool>`(${key}, snippet.id) < (${after.key}, ${after.id}::uuid)`
            : sql<SqlBool>`(${key}, snippet.id) > (${after.key}, ${after.id}::uuid)`,
        )
      }
      return query
        .orderBy(key, direction)
        .orderBy('snippet.id', direction)
        .limit(input.limit + 1)
        .execute()
    },

    find: (ref: string, userId: string, id: string) =>
      readable(ref, userId)
        .select([...columns, 'snippet.content'])
        .where('snippet.id', '=', id)
        .executeTakeFirst(),

    count(ref: string, userId: string, type: SnippetType, name: string | undefined) {
      let query = readable(ref, userId)
        .where('snippet.type', '=', type)
        .select([
          sql<string>`count(*)`.as('count'),
          sql<string>`count(*) filter (where mark.user_id is not null)`.as('favorites'),
          sql<string>`count(*) filter (where snippet.visibility = 'user')`.as('private'),
          sql<string>`count(*) filter (where snippet.visibility = 'project')`.as('shared'),
        ])
      if (name) query = query.where(named(name))
      return query.executeTakeFirstOrThrow()
    },

    /** Locks the snippet whoever owns it and whatever project it is of. */
    lock: (tx: Tx, id: string) =>
      tx
        .selectFrom('platform.snippets')
        .selectAll()
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst(),

    /** False when the id was taken meanwhile. */
    async insert(
      tx: Tx,
      row: SnippetValues & { id: string; projectId: string; ownerId: string; type: SnippetType },
    ): Promise<boolean> {
      const { id, projectId, ownerId, content, ...values } = row
      const made = await tx
        .insertInto('platform.snippets')
        .values({
          ...values,
          id,
          project_id: projectId,
          owner_id: ownerId,
          content: JSON.stringify(content),
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst()
      return made !== undefined
    },

    async update(tx: Tx, id: string, { content, ...values }: SnippetValues): Promise<void> {
      await tx
        .updateTable('platform.snippets')
        .set({
          ...values,
          content: JSON.stringify(content),
          revision: sql<number>`revision + 1`,
          updated_at: new Date(),
        })
        .where('id', '=', id)
        .execute()
    },

    /** Puts the owner's own snippet into a folder, or out of any. */
    async file(tx: Tx, id: string, ownerId: string, folderId: string | null): Promise<void> {
      await tx
        .updateTable('platform.snippets')
        .set({ folder_id: folderId })
        .where('id', '=', id)
        .where('owner_id', '=', ownerId)
        .execute()
    },

    async mark(tx: Tx, id: string, userId: string, favorite: boolean): Promise<void> {
      if (favorite) {
        await tx
          .insertInto('platform.snippet_favorites')
          .values({ snippet_id: id, user_id: userId })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      } else {
        await tx
          .deleteFrom('platform.snippet_favorites')
          .where('snippet_id', '=', id)
          .where('user_id', '=', userId)
          .execute()
      }
    },

    hasReport: async (ids: string[]): Promise<boolean> =>
      (await db
        .selectFrom('platform.snippets')
        .select('id')
        .where('id', 'in', ids)
        .where('type', '=', 'report')
        .limit(1)
        .executeTakeFirst()) !== undefined,

    removeOwn: (ref: string, userId: string, ids: string[]): Promise<{ id: string }[]> =>
      db
        .deleteFrom('platform.snippets')
        .where('id', 'in', ids)
        .where('owner_id', '=', userId)
        .where('project_id', 'in', (e) =>
          e.selectFrom('platform.projects').select('id').where('ref', '=', ref),
        )
        .returning('id')
        .execute(),
  }
}
