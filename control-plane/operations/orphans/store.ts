import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { ProjectsTables } from '../../platform-database/tables-projects.ts'

export type OrphanRow = Selectable<ProjectsTables['platform.orphans']>
export type Orphan = Pick<OrphanRow, 'kind' | 'ref' | 'name' | 'state'>
export type OrphanKey = Pick<OrphanRow, 'kind' | 'ref' | 'name'>
export type OrphanStore = ReturnType<typeof orphanStore>

export const orphanStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

  list: (): Promise<OrphanRow[]> =>
    db
      .selectFrom('platform.orphans')
      .selectAll()
      .orderBy('ref')
      .orderBy('kind', 'desc')
      .orderBy('name')
      .execute(),

  find: ({ kind, ref, name }: OrphanKey): Promise<OrphanRow | undefined> =>
    db
      .selectFrom('platform.orphans')
      .selectAll()
      .where('kind', '=', kind)
      .where('ref', '=', ref)
      .where('name', '=', name)
      .executeTakeFirst(),

  /** Makes `found` all that there is of a kind. Returns what was not there before. */
  async replace(tx: Tx, kind: Orphan['kind'], found: readonly Orphan[]): Promise<Orphan[]> {
    const list = JSON.stringify(found)
    await sql`
      delete from platform.orphans o where o.kind = ${kind} and not exists (
        select from jsonb_to_recordset(${list}::jsonb) f(ref text, name text)
        where f.ref = o.ref and f.name = o.name)`.execute(tx)
    const { rows } = await sql<Orphan & { fresh: boolean }>`
      insert into platform.orphans (kind, ref, name, state)
      select ${kind}, f.ref, f.name, f.state
      from jsonb_to_recordset(${list}::jsonb) f(ref text, name text, state text)
      on conflict (kind, ref, name) do update set state = excluded.state
      returning kind, ref, name, state, xmax = 0 as fresh`.execute(tx)
    return rows.filter(({ fresh }) => fresh)
  },

  /** False: it was not there. It stays locked until `tx` ends, so that only one can take it. */
  async take(tx: Tx, { kind, ref, name }: OrphanKey): Promise<boolean> {
    const { numDeletedRows } = await tx
      .deleteFrom('platform.orphans')
      .where('kind', '=', kind)
      .where('ref', '=', ref)
      .where('name', '=', name)
      .executeTakeFirst()
    return numDeletedRows > 0n
  },

  /** Whether a row of a project knows it, also of a removed one. */
  async isKnown(ref: string, from: Db | Tx = db): Promise<boolean> {
    const row = await from
      .selectFrom('platform.projects')
      .select('id')
      .where('ref', '=', ref)
      .executeTakeFirst()
    return row !== undefined
  },
})
