import { sql } from 'kysely'
import { planOfTier } from '#contract/billing/plans'
import { planLimits } from '#contract/limits'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Db } from '../../platform-database/database.ts'

/** What was measured of a project's server; null: it could not be. */
export type Sample = {
  ref: string
  cpu: number | null
  memory_bytes: number | null
  connections: number | null
  /** Another one whenever the server was started again. */
  start: string | null
  /** Since the look before. */
  read_bytes: number | null
  written_bytes: number | null
}
export type SamplePoint = {
  point: number
  cpu: number | null
  cpu_max: number | null
  memory_bytes: number | null
  connections: number | null
  database_bytes: number | null
  other_bytes: number | null
  read_bytes: number | null
  written_bytes: number | null
  restarts: number | null
}

/** In these a server runs. */
const runs: readonly ProjectStatus[] = ['ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY']
const minute = 60
const coarse = 600
const hourMs = 3_600_000
/** How long there are samples of each minute. */
const minutesKeptMs = 26 * hourMs

/** Seconds of the finest points that there are of a time. */
export const finestSamples = (from: Date, now: Date): number =>
  from.getTime() >= now.getTime() - minutesKeptMs ? minute : coarse

const numberOf = (text: string | null) => (text === null ? null : Number(text))
const numbers = (row: Row): SamplePoint => ({
  ...row,
  memory_bytes: numberOf(row.memory_bytes),
  database_bytes: numberOf(row.database_bytes),
  other_bytes: numberOf(row.other_bytes),
  read_bytes: numberOf(row.read_bytes),
  written_bytes: numberOf(row.written_bytes),
})
/** What the database counts in more than 32 bits comes as text. */
type Large = 'memory_bytes' | 'database_bytes' | 'other_bytes' | 'read_bytes' | 'written_bytes'
type Row = Omit<SamplePoint, Large> & Record<Large, string | null>

export const sampleStore = (db: Db) => ({
  async running(): Promise<string[]> {
    const rows = await db
      .selectFrom('platform.projects')
      .select('ref')
      .where('status', 'in', runs)
      .orderBy('id')
      .execute()
    return rows.map(({ ref }) => ref)
  },

  /** The samples of one minute, with the sizes that were measured last: one statement for all projects. */
  async add(samples: readonly Sample[], at: Date): Promise<void> {
    if (samples.length === 0) return
    await sql`
      with given as (
        select p.id, s.* from jsonb_to_recordset(${JSON.stringify(samples)}::jsonb)
            as s (ref text, cpu real, memory_bytes bigint, connections integer, start text, read_bytes bigint, written_bytes bigint)
          join platform.projects p on p.ref = s.ref
      ), starts as (
        insert into platform.server_starts as known (project_id, start)
        select id, start from given where start is not null order by id
        on conflict (project_id) do update set start = excluded.start, restarts = known.restarts + 1
          where known.start <> excluded.start
        returning project_id, restarts
      )
      insert into platform.metric_samples
        (project_id, seconds, began_at, cpu, cpu_max, memory_bytes, connections, database_bytes, other_bytes,
          read_bytes, written_bytes, restarts)
      select g.id, ${minute}, date_trunc('minute', ${at}::timestamptz), g.cpu, g.cpu, g.memory_bytes, g.connections,
        d.database_bytes, d.other_bytes, g.read_bytes, g.written_bytes,
        case when g.start is not null then (coalesce(n.restarts, 0) > 0)::int end
      from given g
        left join starts n on n.project_id = g.id
        left join platform.project_disk d on d.project_id = g.id
      order by g.id
      on conflict do nothing`.execute(db)
  },

  /** Minutes become ten minutes; what the plan of its project does not keep goes, and all of projects that were deleted. */
  async prune(now: Date): Promise<void> {
    const fine = new Date(
      Math.floor((now.getTime() - minutesKeptMs) / (coarse * 1000)) * coarse * 1000,
    )
    await sql`
      with minutes as (
        delete from platform.metric_samples where seconds = ${minute} and began_at < ${fine} returning *
      )
      insert into platform.metric_samples
        (project_id, seconds, began_at, cpu, cpu_max, memory_bytes, connections, database_bytes, other_bytes,
          read_bytes, written_bytes, restarts)
      select project_id, ${coarse}, date_bin('10 minutes', began_at, 'epoch'), avg(cpu), max(cpu_max),
        avg(memory_bytes)::bigint, max(connections), max(database_bytes), max(other_bytes),
        sum(read_bytes)::bigint, sum(written_bytes)::bigint, sum(restarts)
      from minutes group by 1, 3
      on conflict do nothing`.execute(db)
    const days = Object.entries(planOfTier).map(([tier, plan]) => ({
      tier,
      days: planLimits[plan].logRetentionDays,
    }))
    await sql`
      delete from platform.metric_samples m
      using platform.projects p
        join platform.organizations o on o.id = p.organization_id
        join jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as kept (tier text, days integer) on kept.tier = o.tier
      where m.project_id = p.id and (p.status = 'REMOVED' and p.deleted_at is null
        or m.seconds = ${coarse} and m.began_at < ${now}::timestamptz - make_interval(days => kept.days))`.execute(
      db,
    )
  },

  /** Points of `seconds` each from `from` on, which is a whole multiple of them. Those without a sample are missing. */
  async of(
    ref: string,
    { from, to, seconds }: { from: Date; to: Date; seconds: number },
  ): Promise<SamplePoint[]> {
    const found = await sql<Row>`
      select floor((extract(epoch from m.began_at) - extract(epoch from ${from}::timestamptz)) / ${seconds}::int)::int as point,
        avg(cpu) as cpu, max(cpu_max) as cpu_max, avg(memory_bytes)::bigint as memory_bytes, max(connections) as connections,
        max(database_bytes) as database_bytes, max(other_bytes) as other_bytes,
        sum(read_bytes)::bigint as read_bytes, sum(written_bytes)::bigint as written_bytes, sum(restarts)::int as restarts
      from platform.metric_samples m join platform.projects p on p.id = m.project_id
      where p.ref = ${ref} and m.began_at >= ${from} and m.began_at < ${to}
      group by 1`.execute(db)
    return found.rows.map(numbers)
  },
})
export type SampleStore = ReturnType<typeof sampleStore>
