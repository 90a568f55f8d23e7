import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Db, Tx } from '../../../platform-database/database.ts'
import type { Tables } from '../../../platform-database/tables.ts'

export type DryRunRow = Selectable<Tables['platform.dry_runs']>
type Values = Updateable<Tables['platform.dry_runs']>

/** A job of its copy is at work on it. */
export const dryRunJob = 'branch.dry-run'

export const dryRunStore = (db: Db) => ({
  /** Undefined: one of this project is under way. The last one of the branch goes for it. */
  async insert(
    tx: Tx,
    row: Insertable<Tables['platform.dry_runs']>,
  ): Promise<DryRunRow | undefined> {
    await tx
      .deleteFrom('platform.dry_runs')
      .where('branch_id', '=', row.branch_id)
      .where('finished_at', 'is not', null)
      .execute()
    return tx
      .insertInto('platform.dry_runs')
      .values(row)
      .onConflict((clash) => clash.doNothing())
      .returningAll()
      .executeTakeFirst()
  },

  isRunning: async (tx: Tx, parentId: string): Promise<boolean> =>
    (await tx
      .selectFrom('platform.dry_runs')
      .select('id')
      .where('parent_id', '=', parentId)
      .where('finished_at', 'is', null)
      .executeTakeFirst()) !== undefined,

  /** The project that was just written is a copy of another one. */
  async markCopy(tx: Tx, id: string, parentId: string): Promise<void> {
    await tx
      .updateTable('platform.projects')
      .set({ parent_id: parentId, is_dry_run: true })
      .where('id', '=', id)
      .execute()
  },

  last: (branchId: string): Promise<DryRunRow | undefined> =>
    db
      .selectFrom('platform.dry_runs')
      .selectAll()
      .where('branch_id', '=', branchId)
      .orderBy('started_at', 'desc')
      .limit(1)
      .executeTakeFirst(),

  ofCopy: (ref: string): Promise<DryRunRow | undefined> =>
    db.selectFrom('platform.dry_runs').selectAll().where('copy_ref', '=', ref).executeTakeFirst(),

  /** False: it had begun before. */
  async begin(ref: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('platform.dry_runs')
      .set({ begun: true })
      .where('copy_ref', '=', ref)
      .where('begun', '=', false)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  /** What came of it, once. */
  async settle(ref: string, values: Pick<Values, 'state' | 'failure' | 'migrations'>) {
    await db
      .updateTable('platform.dry_runs')
      .set(values)
      .where('copy_ref', '=', ref)
      .where('state', '=', 'running')
      .execute()
  },

  async finish(ref: string): Promise<void> {
    await db
      .updateTable('platform.dry_runs')
      .set({ finished_at: new Date() })
      .where('copy_ref', '=', ref)
      .where('finished_at', 'is', null)
      .execute()
  },

  copy: (
    ref: string,
  ): Promise<
    { status: ProjectStatus; failure: string | null; job_id: string | null } | undefined
  > =>
    db
      .selectFrom('platform.projects')
      .select(['status', 'failure', 'job_id'])
      .where('ref', '=', ref)
      .where('is_dry_run', '=', true)
      .executeTakeFirst(),

  /** Copies at rest that no dry run is at work on any more. */
  async leftOver(): Promise<string[]> {
    const { rows } = await sql<{ ref: string }>`
      select p.ref from platform.projects p
      where p.is_dry_run and p.job_id is null and p.status not in ('REMOVED', 'GOING_DOWN') and not exists (
        select from platform.jobs j where j.finished_at is null and j.name = ${dryRunJob} and j.subject = p.ref)
      order by p.id`.execute(db)
    return rows.map(({ ref }) => ref)
  },

  /** Dry runs whose job has ended without a word of it. */
  async endAbandoned(): Promise<void> {
    await sql`update platform.dry_runs r set finished_at = now(), state = case when state = 'running' then 'failed' else state end,
        failure = case when state = 'running' then 'It was broken off' else failure end
      where r.finished_at is null and not exists (
        select from platform.jobs j where j.finished_at is null and j.name = ${dryRunJob} and j.subject = r.copy_ref)`.execute(
      db,
    )
  },
})
export type DryRunStore = ReturnType<typeof dryRunStore>
