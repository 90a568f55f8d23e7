import type { Insertable } from 'kysely'
import type { Db } from '../../platform-database/database.ts'
import type { PeopleTables } from '../../platform-database/tables-people.ts'

export type TelemetryStore = ReturnType<typeof telemetryStore>
export type EventRow = Omit<
  Insertable<PeopleTables['platform.telemetry_events']>,
  'id' | 'properties' | 'context'
> & { properties?: object; context?: object }
export type ErrorReportRow = Omit<Insertable<PeopleTables['platform.error_reports']>, 'reported_at'>

/** How much is kept, whoever sends it. */
export type Keep = { rows: number; days: number }

export const telemetryStore = (db: Db) => ({
  async insert({ properties = {}, context = {}, ...row }: EventRow): Promise<void> {
    await db
      .insertInto('platform.telemetry_events')
      .values({ ...row, properties: JSON.stringify(properties), context: JSON.stringify(context) })
      .execute()
  },

  /** False when a report of this id is there already. */
  async insertReport(row: ErrorReportRow): Promise<boolean> {
    const made = await db
      .insertInto('platform.error_reports')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    return made !== undefined
  },

  async prune({ rows, days }: Keep, now: Date): Promise<void> {
    const oldest = new Date(now.getTime() - days * 24 * 60 * 60 * 1000)
    await db
      .deleteFrom('platform.telemetry_events')
      .where((e) =>
        e.or([
          e('occurred_at', '<', oldest),
          e(
            'id',
            '<=',
            e
              .selectFrom('platform.telemetry_events')
              .select('id')
              .orderBy('id', 'desc')
              .offset(rows)
              .limit(1),
          ),
        ]),
      )
      .execute()
  },

  async pruneReports({ rows, days }: Keep, now: Date): Promise<void> {
    const oldest = new Date(now.getTime() - days * 24 * 60 * 60 * 1000)
    await db
      .deleteFrom('platform.error_reports')
      .where((e) =>
        e.or([
          e('reported_at', '<', oldest),
          e(
            'reported_at',
            '<=',
            e
              .selectFrom('platform.error_reports')
              .select('reported_at')
              .orderBy('reported_at', 'desc')
              .offset(rows)
              .limit(1),
          ),
        ]),
      )
      .execute()
  },
})
