import { DatabaseError } from 'pg'
import { sql } from 'kysely'
import type { Db } from '../../platform-database/database.ts'

export type FolderStore = ReturnType<typeof folderStore>
type Mine = { ref: string; userId: string }

const uniqueViolation = '23505'

/** Undefined when somebody took the name first. */
async function unlessTaken<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DatabaseError && error.code === uniqueViolation) return undefined
    throw error
  }
}

export function folderStore(db: Db) {
  const mine = ({ ref, userId }: Mine) =>
    db
      .selectFrom('platform.snippet_folders as folder')
      .innerJoin('platform.projects as project', 'project.id', 'folder.project_id')
      .innerJoin('platform.profiles as owner', 'owner.user_id', 'folder.owner_id')
      .where('project.ref', '=', ref)
      .where('folder.owner_id', '=', userId)
      .select([
        'folder.id',
        'folder.name',
        'folder.project_id',
        'owner.id as owner_number',
        sql<string>`(select count(*) from platform.snippets s where s.folder_id = folder.id)`.as(
          'count',
        ),
      ])
  /** What a change may touch: this person's folder in this project, and no other. */
  const projectOf = (ref: string) =>
    db.selectFrom('platform.projects').select('id').where('ref', '=', ref)

  return {
    list: (who: Mine) =>
      mine(who)
        .orderBy(sql`lower(folder.name)`)
        .execute(),

    find: (who: Mine, id: string) => mine(who).where('folder.id', '=', id).executeTakeFirst(),

    insert: (projectId: string, userId: string, name: string) =>
      unlessTaken(() =>
        db
          .insertInto('platform.snippet_folders')
          .values({ project_id: projectId, owner_id: userId, name })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ),

    /** Undefined when the name is taken; the count of folders that were renamed otherwise. */
    rename: ({ ref, userId }: Mine, id: string, name: string) =>
      unlessTaken(async () => {
        const { numUpdatedRows } = await db
          .updateTable('platform.snippet_folders')
          .set({ name })
          .where('id', '=', id)
          .where('owner_id', '=', userId)
          .where('project_id', 'in', projectOf(ref))
          .executeTakeFirst()
        return Number(numUpdatedRows)
      }),

    async remove({ ref, userId }: Mine, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('platform.snippet_folders')
        .where('id', '=', id)
        .where('owner_id', '=', userId)
        .where('project_id', 'in', projectOf(ref))
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    move: ({ ref, userId }: Mine, ids: string[], folderId: string | null) =>
      db
        .updateTable('platform.snippets')
        .set({ folder_id: folderId })
        .where('id', 'in', ids)
        .where('owner_id', '=', userId)
        .where('project_id', 'in', projectOf(ref))
        .returning('id')
        .execute(),
  }
}
