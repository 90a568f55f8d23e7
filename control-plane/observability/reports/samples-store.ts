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
}
export type SamplePoint = {
  point: number
  cpu: number | null
  cpu_max: number | null
  memory_bytes: number | null
  connections: number | null
  database_bytes: number | null
  other_bytes: number | null
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

const numbers = ({ memory_bytes, database_bytes, other_bytes, ...row }: Row): SamplePoint => ({
  ...row,
  memory_bytes: memory_bytes === null ? null : Number(memory_bytes),
  database_bytes: database_bytes === null ? null : Number(database_bytes),
  other_bytes: other_bytes === null ? null : Number(other_bytes),
})
type Row = Omit<SamplePoint, 'memory_bytes' | 'database_bytes' | 'other_bytes'> &
  Record<'memory_bytes' | 'database_bytes' | 'other_bytes', string | null>

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
      insert into platform.metric_samples
        (project_id, seconds, began_at, cpu, cpu_max, memory_bytes, connections, database_bytes, other_bytes)
      select p.id, ${minute}, date_trunc('minute', ${at}::timestamptz), s.cpu, s.cpu, s.memory_bytes, s.connections,
        d.database_bytes, d.other_bytes
      from jsonb_to_recordset(${JSON.stringify(samples)}::jsonb)
          as s (ref text, cpu real, memory_bytes bigint, connections integer)
        join platform.projects p on p.ref = s.ref
        left join platform.project_disk d on d.project_id = p.id
      order by p.id
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
        (project_id, seconds, began_at, cpu, cpu_max, memory_bytes, connections, database_bytes, other_bytes)
      select project_id, ${coarse}, date_bin('10 minutes', began_at, 'epoch'), avg(cpu), max(cpu_max),
        avg(memory_bytes)::bigint, max(connections), max(database_bytes), max(other_bytes)
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
      where m.project_id = p.id and (p.status = 'REMOVED'
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
        max(database_bytes) as database_bytes, max(other_bytes) as other_bytes
      from platform.metric_samples m join platform.projects p on p.id = m.project_id
      where p.ref = ${ref} and m.began_at >= ${from} and m.began_at < ${to}
      group by 1`.execute(db)
    return found.rows.map(numbers)
  },
})
export type SampleStore = ReturnType<typeof sampleStore>
