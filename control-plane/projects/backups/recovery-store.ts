import { sql } from 'kysely'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Subject } from './store.ts'

type Project = Pick<Subject, 'ref' | 'name' | 'organization_id'>

/** Point in time recovery, as what is paid for by the month, and as what servers were told. */
export const recoveryStore = (db: Db) => ({
  async begin(tx: Tx, { ref, name, organization_id }: Project, variant: string, at: Date) {
    await tx
      .insertInto('platform.add_on_usage')
      .values({
        organization_id,
        project_ref: ref,
        project_name: name,
        variant,
        started_at: at,
        ended_at: null,
      })
      .execute()
  },

  async end(tx: Tx, ref: string, variant: string, at: Date): Promise<void> {
    await tx
      .updateTable('platform.add_on_usage')
      .set({ ended_at: sql`greatest(started_at, ${at})` })
      .where('project_ref', '=', ref)
      .where('variant', '=', variant)
      .where('ended_at', 'is', null)
      .execute()
  },

  /** That the server keeps WAL from now on, or no longer. */
  async setKept(ref: string, since: Date | null): Promise<void> {
    await db
      .updateTable('platform.projects')
      .set({ keeps_wal_since: since })
      .where('ref', '=', ref)
      .execute()
  },

  /** After a restore, what is kept is another history. */
  async restored(ref: string, at: Date): Promise<void> {
    await db
      .updateTable('platform.projects')
      .set({ keeps_wal_since: at })
      .where('ref', '=', ref)
      .where('keeps_wal_since', 'is not', null)
      .execute()
  },

  /** Where it is on and the plan does not have it any more. */
  lost: (): Promise<{ ref: string; variant: string }[]> =>
    db
      .selectFrom('platform.add_on_usage as usage')
      .innerJoin('platform.projects as project', 'project.ref', 'usage.project_ref')
      .innerJoin(
        'platform.organizations as organization',
        'organization.id',
        'project.organization_id',
      )
      .select(['project.ref', 'usage.variant'])
      .where('usage.ended_at', 'is', null)
      .where('usage.variant', 'like', 'pitr%')
      .where('organization.tier', '=', 'tier_free')
      .execute(),

  /** Servers that run and were told something else than what holds. */
  async toNotify(): Promise<string[]> {
    const found = await sql<{ ref: string }>`
      select p.ref from platform.projects p
      where p.status = 'ACTIVE_HEALTHY' and (p.keeps_wal_since is not null) <> exists (
        select from platform.add_on_usage u
        where u.project_ref = p.ref and u.ended_at is null and u.variant like 'pitr%')`.execute(db)
    return found.rows.map(({ ref }) => ref)
  },
})
export type RecoveryStore = ReturnType<typeof recoveryStore>
