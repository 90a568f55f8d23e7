import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { ProjectsTables } from '../../platform-database/tables-projects.ts'

export type ThirdPartyRow = Selectable<ProjectsTables['platform.third_party_auths']>

export function thirdPartyAuthStore(db: Db) {
  return {
    /** The oldest first. */
    ofProject: (ref: string, from: Db | Tx = db): Promise<ThirdPartyRow[]> =>
      from
        .selectFrom('platform.third_party_auths as party')
        .innerJoin('platform.projects as project', 'project.id', 'party.project_id')
        .selectAll('party')
        .where('project.ref', '=', ref)
        .where('project.status', '<>', 'REMOVED')
        .orderBy('party.inserted_at')
        .orderBy('party.id')
        .execute(),

    insert: (
      tx: Tx,
      row: Insertable<ProjectsTables['platform.third_party_auths']>,
    ): Promise<ThirdPartyRow> =>
      tx
        .insertInto('platform.third_party_auths')
        .values(row)
        .returningAll()
        .executeTakeFirstOrThrow(),

    async remove(tx: Tx, id: string): Promise<void> {
      await tx.deleteFrom('platform.third_party_auths').where('id', '=', id).execute()
    },
  }
}
export type ThirdPartyAuthStore = ReturnType<typeof thirdPartyAuthStore>
