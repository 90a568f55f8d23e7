import type { Insertable, Selectable } from 'kysely'
import type { SigningKeyStatus } from '#contract/projects/signing-keys'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { ProjectsTables } from '../../platform-database/tables-projects.ts'

export type SigningKeyRow = Selectable<ProjectsTables['platform.signing_keys']>

/** In the order of a list: what signs, what will, what did. */
const rank: Record<SigningKeyStatus, number> = {
  in_use: 0,
  standby: 1,
  previously_used: 2,
  revoked: 3,
}

export function signingKeyStore(db: Db) {
  return {
    async ofProject(ref: string, from: Db | Tx = db): Promise<SigningKeyRow[]> {
      const rows = await from
        .selectFrom('platform.signing_keys as key')
        .innerJoin('platform.projects as project', 'project.id', 'key.project_id')
        .selectAll('key')
        .where('project.ref', '=', ref)
        .where('project.status', '<>', 'REMOVED')
        .execute()
      return rows.toSorted(
        (a, b) =>
          rank[a.status] - rank[b.status] || b.updated_at.getTime() - a.updated_at.getTime(),
      )
    },

    insert: (
      tx: Tx,
      row: Insertable<ProjectsTables['platform.signing_keys']>,
    ): Promise<SigningKeyRow | undefined> =>
      tx
        .insertInto('platform.signing_keys')
        .values(row)
        .onConflict((conflict) => conflict.columns(['project_id', 'kid']).doNothing())
        .returningAll()
        .executeTakeFirst(),

    move: (tx: Tx, id: string, status: SigningKeyStatus): Promise<SigningKeyRow> =>
      tx
        .updateTable('platform.signing_keys')
        .set({ status, updated_at: new Date() })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),

    async remove(tx: Tx, id: string): Promise<void> {
      await tx.deleteFrom('platform.signing_keys').where('id', '=', id).execute()
    },
  }
}
export type SigningKeyStore = ReturnType<typeof signingKeyStore>
