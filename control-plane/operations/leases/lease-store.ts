import { sql } from 'kysely'
import type { Db } from '../../platform-database/database.ts'

/** A program that is there holds the lease of this name. */
const ofProgram = (executor: string) => `program ${executor}`

export const leaseStore = (db: Db) => ({
  /** Takes the lease, or holds it for longer. False: somebody else has it. */
  async hold(name: string, holder: string, seconds: number): Promise<boolean> {
    const { rows } = await sql`
      insert into platform.leases as l (name, holder, expires_at)
      values (${name}, ${holder}, clock_timestamp() + make_interval(secs => ${seconds}))
      on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where l.holder = excluded.holder or l.expires_at < clock_timestamp()
      returning 1`.execute(db)
    return rows.length > 0
  },

  /** Says that the program is there, and forgets those that have long been over. */
  async present(executor: string, seconds: number): Promise<void> {
    await sql`
      with over as (delete from platform.leases where expires_at < clock_timestamp() - interval '1 day')
      insert into platform.leases (name, holder, expires_at)
      values (${ofProgram(executor)}, ${executor}, clock_timestamp() + make_interval(secs => ${seconds}))
      on conflict (name) do update set expires_at = excluded.expires_at`.execute(db)
  },

  /** Which of these programs are there. */
  async alive(executors: readonly string[]): Promise<string[]> {
    if (executors.length === 0) return []
    const rows = await db
      .selectFrom('platform.leases')
      .select('holder')
      .where('name', 'in', executors.map(ofProgram))
      .where('expires_at', '>=', sql<Date>`clock_timestamp()`)
      .execute()
    return rows.map(({ holder }) => holder)
  },

  /** Others need not wait until it is over. */
  async giveUp(holder: string): Promise<void> {
    await db.deleteFrom('platform.leases').where('holder', '=', holder).execute()
  },
})
export type LeaseStore = ReturnType<typeof leaseStore>
