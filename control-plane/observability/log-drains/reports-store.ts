import { sql } from 'kysely'
import type { LogDrainReport } from '#contract/observability/log-drain-shapes'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { DrainRow, ReportRow } from './store.ts'

/** A drain that fails or has lost something, with whom to tell of it. */
export type Watched = DrainRow & {
  ref: string | null
  project_name: string | null
  payer_id: string
  payer_slug: string
  payer_name: string
}

export const drainReportStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

  byTokens: async (tokens: readonly string[]): Promise<DrainRow[]> =>
    tokens.length === 0
      ? []
      : db
          .selectFrom('platform.log_drains')
          .selectAll()
          .where('token', 'in', [...tokens])
          .execute(),

  /** Counts only grow; the rest is as it was said last. */
  async keep(reports: readonly (LogDrainReport & { drain_id: string })[], at: Date): Promise<void> {
    if (reports.length === 0) return
    await db
      .insertInto('platform.log_drain_reports')
      .values(
        reports.map(({ start, events, bytes, lost, ...report }) => ({
          drain_id: report.drain_id,
          month: report.month,
          last_error: report.last_error,
          delivered_until: dateOf(report.delivered_until),
          last_success_at: dateOf(report.last_success_at),
          failing_since: dateOf(report.failing_since),
          next_attempt_at: dateOf(report.next_attempt_at),
          start_id: start,
          events: String(events),
          bytes: String(bytes),
          lost: String(lost),
          reported_at: at,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['drain_id', 'start_id', 'month']).doUpdateSet({
          delivered_until: sql`greatest(log_drain_reports.delivered_until, excluded.delivered_until)`,
          last_success_at: sql`greatest(log_drain_reports.last_success_at, excluded.last_success_at)`,
          failing_since: sql`excluded.failing_since`,
          last_error: sql`excluded.last_error`,
          next_attempt_at: sql`excluded.next_attempt_at`,
          events: sql`greatest(log_drain_reports.events, excluded.events)`,
          bytes: sql`greatest(log_drain_reports.bytes, excluded.bytes)`,
          lost: sql`greatest(log_drain_reports.lost, excluded.lost)`,
          reported_at: sql`excluded.reported_at`,
        }),
      )
      .execute()
  },

  ofDrains: async (ids: readonly string[], from: Db | Tx = db): Promise<ReportRow[]> =>
    ids.length === 0
      ? []
      : from
          .selectFrom('platform.log_drain_reports')
          .selectAll()
          .where('drain_id', 'in', [...ids])
          .orderBy('reported_at')
          .execute(),

  /** Who changes a drain, or switches it on, has it tried anew. */
  async forgetFailures(tx: Tx, drainId: string): Promise<void> {
    await tx
      .updateTable('platform.log_drain_reports')
      .set({ failing_since: null, last_error: null, next_attempt_at: null })
      .where('drain_id', '=', drainId)
      .execute()
  },

  /** Of those that send: which fail, or have lost what nobody was told of. */
  troubled: async (): Promise<string[]> =>
    (
      await sql<{ id: string }>`
        select d.id from platform.log_drains d
        where d.enabled and exists (
          select from platform.log_drain_reports r
          where r.drain_id = d.id and (r.failing_since is not null or r.lost > r.lost_told))
        order by d.id`.execute(db)
    ).rows.map(({ id }) => id),

  /** Locks it until `tx` ends. */
  watched: (tx: Tx, id: string): Promise<Watched | undefined> =>
    tx
      .selectFrom('platform.log_drains as drain')
      .leftJoin('platform.projects as project', 'project.id', 'drain.project_id')
      .innerJoin('platform.organizations as payer', (join) =>
        join.on(
          'payer.id',
          '=',
          sql<string>`coalesce(drain.organization_id, project.organization_id)`,
        ),
      )
      .selectAll('drain')
      .select([
        'project.ref',
        'project.name as project_name',
        'payer.id as payer_id',
        'payer.slug as payer_slug',
        'payer.name as payer_name',
      ])
      .where('drain.id', '=', id)
      .forUpdate('drain')
      .executeTakeFirst(),

  async failureTold(tx: Tx, id: string, at: Date): Promise<void> {
    await tx
      .updateTable('platform.log_drains')
      .set({ failure_told_at: at })
      .where('id', '=', id)
      .execute()
  },

  async lossTold(tx: Tx, id: string, at: Date): Promise<void> {
    await tx
      .updateTable('platform.log_drains')
      .set({ loss_told_at: at })
      .where('id', '=', id)
      .execute()
    await tx
      .updateTable('platform.log_drain_reports')
      .set({ lost_told: sql`lost` })
      .where('drain_id', '=', id)
      .execute()
  },

  /** Forgets months that nobody is shown any more, but for the newest word of each drain. */
  async prune(before: string): Promise<void> {
    await sql`
      delete from platform.log_drain_reports r
      where r.month < ${before} and r.lost = r.lost_told and exists (
        select from platform.log_drain_reports n
        where n.drain_id = r.drain_id and n.reported_at > r.reported_at
          and coalesce(n.delivered_until >= r.delivered_until, r.delivered_until is null))`.execute(
      db,
    )
  },
})
export type DrainReportStore = ReturnType<typeof drainReportStore>

const dateOf = (instant: string | null): Date | null =>
  instant === null ? null : new Date(instant)
