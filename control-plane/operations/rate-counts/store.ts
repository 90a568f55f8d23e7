import { sql } from 'kysely'
import type { RateCount } from '#contract/operations/rate-counts'
import type { Db } from '../../platform-database/database.ts'

/** Times are those of the database: the clocks of programs may differ. */
export const rateCountStore = (db: Db) => ({
  /** Counts one more try; the seconds to wait when it is one too many. */
  async count({ key, points, seconds }: Omit<RateCount, 'gives_back'>): Promise<number | null> {
    const { rows } = await sql<{ points: number; wait: number }>`
      insert into platform.rate_counts as c (key, points, until)
      values (${key}, 1, clock_timestamp() + make_interval(secs => ${seconds}))
      on conflict (key) do update set
        points = case when c.until <= clock_timestamp() then 1 else least(c.points::bigint + 1, 2147483647)::int end,
        until = case when c.until <= clock_timestamp() then excluded.until else c.until end
      returning points, ceil(extract(epoch from until - clock_timestamp()))::int as wait`.execute(
      db,
    )
    const [row] = rows
    return row && row.points > points ? Math.max(1, row.wait) : null
  },

  /** A try that succeeded is no failure. */
  async giveBack(key: string): Promise<void> {
    await sql`
      update platform.rate_counts set points = greatest(points - 1, 0)
      where key = ${key} and until > clock_timestamp()`.execute(db)
  },

  async forgetExpired(): Promise<void> {
    await sql`delete from platform.rate_counts where until <= clock_timestamp()`.execute(db)
  },
})
export type RateCountStore = ReturnType<typeof rateCountStore>
