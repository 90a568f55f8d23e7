import { DatabaseError } from 'pg'
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { KeyUse } from '#contract/internal'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { ProjectsTables } from '../../platform-database/tables-projects.ts'

export type ApiKeyRow = Selectable<ProjectsTables['platform.api_keys']>
export type KeyedProject = {
  id: string
  organization_id: string
  legacy_keys_disabled_at: Date | null
  keys_optional: boolean
}

const uniqueViolation = '23505'

export function apiKeyStore(db: Db) {
  const projectOf = (ref: string, from: Db | Tx) =>
    from
      .selectFrom('platform.projects')
      .select(['id', 'organization_id', 'legacy_keys_disabled_at', 'keys_optional'])
      .where('ref', '=', ref)
      .where('status', '<>', 'REMOVED')

  return {
    project: (ref: string): Promise<KeyedProject | undefined> =>
      projectOf(ref, db).executeTakeFirst(),

    /** Publishable ones first, each kind in the order in which they were made. */
    ofProject: (projectId: string, from: Db | Tx = db): Promise<ApiKeyRow[]> =>
      from
        .selectFrom('platform.api_keys')
        .selectAll()
        .where('project_id', '=', projectId)
        .orderBy('type')
        .orderBy('inserted_at')
        .orderBy('id')
        .execute(),

    /** Undefined when the project has a key of this type and name. */
    insert: (
      tx: Tx,
      row: Insertable<ProjectsTables['platform.api_keys']>,
    ): Promise<ApiKeyRow | undefined> =>
      tx
        .insertInto('platform.api_keys')
        .values(row)
        .onConflict((conflict) => conflict.columns(['project_id', 'type', 'name']).doNothing())
        .returningAll()
        .executeTakeFirst(),

    /** Undefined when the project has another key of this type and name; `tx` can then only be rolled back. */
    async update(
      tx: Tx,
      id: string,
      values: Updateable<ProjectsTables['platform.api_keys']>,
    ): Promise<ApiKeyRow | undefined> {
      try {
        return await tx
          .updateTable('platform.api_keys')
          .set({ ...values, updated_at: new Date() })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow()
      } catch (error) {
        if (error instanceof DatabaseError && error.code === uniqueViolation) return undefined
        throw error
      }
    },

    async remove(tx: Tx, id: string): Promise<void> {
      await tx.deleteFrom('platform.api_keys').where('id', '=', id).execute()
    },

    async setLegacyDisabledAt(tx: Tx, projectId: string, at: Date | null): Promise<void> {
      await tx
        .updateTable('platform.projects')
        .set({ legacy_keys_disabled_at: at })
        .where('id', '=', projectId)
        .execute()
    },

    async setOptional(tx: Tx, projectId: string, keys_optional: boolean): Promise<void> {
      await tx
        .updateTable('platform.projects')
        .set({ keys_optional })
        .where('id', '=', projectId)
        .execute()
    },

    /** Whether tokens that are signed by the project's first secret are still verified. */
    async isLegacySecretGood(tx: Tx, projectId: string): Promise<boolean> {
      const row = await tx
        .selectFrom('platform.signing_keys')
        .select('status')
        .where('project_id', '=', projectId)
        .where('is_legacy', '=', true)
        .executeTakeFirst()
      return row !== undefined && row.status !== 'revoked'
    },

    /** Keys that are gone meanwhile are passed over; an older use changes nothing. Returns how many were noted. */
    async addUses(uses: readonly KeyUse[]): Promise<number> {
      const result = await sql`
        update platform.api_keys key set last_used_at = used.at
        from (
          select u.ref, u.sha256, to_timestamp(max(u.at) / 1000.0) as at
          from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb) as u (ref text, sha256 text, at bigint)
          group by u.ref, u.sha256
        ) used
        join platform.projects project on project.ref = used.ref
        where key.sha256 = used.sha256 and key.project_id = project.id
          and (key.last_used_at is null or key.last_used_at < used.at)`.execute(db)
      return Number(result.numAffectedRows ?? 0)
    },
  }
}
export type ApiKeyStore = ReturnType<typeof apiKeyStore>
