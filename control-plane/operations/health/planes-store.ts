import type { PlaneFacts } from '#contract/operations/health'
import type { PlaneKind, PlaneReport } from '#contract/operations/planes'
import type { Db } from '../../platform-database/database.ts'

export type PlaneStore = ReturnType<typeof planeStore>

export const planeStore = (db: Db) => ({
  /** What a program says of itself; in place of what it, or one before it at this place, said last. */
  async put(
    kind: PlaneKind,
    report: PlaneReport,
    facts: PlaneFacts | undefined,
    now: Date,
  ): Promise<void> {
    const row = {
      version: report.version,
      started_at: new Date(report.started_at),
      heard_at: now,
      ended_at: report.ends ? now : null,
      memory_bytes: report.memory_bytes,
      facts: JSON.stringify(facts ?? {}),
    }
    await db
      .insertInto('platform.planes')
      .values({ kind, place: report.place, ...row })
      .onConflict((conflict) => conflict.columns(['kind', 'place']).doUpdateSet(row))
      .execute()
  },

  all: () =>
    db.selectFrom('platform.planes').selectAll().orderBy('kind').orderBy('place').execute(),

  /** Of the installation's own names that certificates are ordered for: why the last order failed. */
  async orderFailures(): Promise<ReadonlyMap<string, string>> {
    const rows = await db
      .selectFrom('platform.installation_certificates')
      .select(['hostname', 'failure'])
      .execute()
    return new Map(
      rows.flatMap(({ hostname, failure }) =>
        failure === null ? [] : [[hostname, failure] as const],
      ),
    )
  },

  /** Those that nobody has heard of since `moment`. */
  async forget(moment: Date): Promise<void> {
    await db.deleteFrom('platform.planes').where('heard_at', '<', moment).execute()
  },
})
