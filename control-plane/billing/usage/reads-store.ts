import { sql, type RawBuilder } from 'kysely'
import { peakMetrics, type SightingKind, type StoredMetric } from '#contract/billing/usage-metrics'
import type { Tier } from '#contract/billing/plans'
import type { ComputeSizeId } from '#contract/projects/compute-sizes'
import type { Db, Tx } from '../../platform-database/database.ts'

/** From `start`, up to and without `end`; both are the beginnings of hours. */
export type Span = { start: Date; end: Date }
/** Of whom; without `ref` of all projects that an organization has or had. */
export type Whose = { organizationId: string; ref: string | undefined }
export type Counted<Name> = {
  ref: string
  name: Name
  day: string | null
  value: number
  hours: number
}
export type CycleRow = { started_at: Date; ended_at: Date; tier: Tier | null }

const hourMs = 3_600_000
const dayMs = 24 * hourMs
export const wholeHour = (date: Date): Date =>
  new Date(Math.floor(date.getTime() / hourMs) * hourMs)
const nextDay = (date: Date) => new Date(Math.ceil(date.getTime() / dayMs) * dayMs)
const day = (date: Date) => new Date(Math.floor(date.getTime() / dayMs) * dayMs)

type Row = { ref: string; name: string; day: string | null; value: string; hours: string }
/** The names are those of the columns that the statements read. */
const shape = <Name extends string>(rows: readonly Row[]): Counted<Name>[] =>
  rows.map(({ name, value, hours, ...row }) => ({
    ...row,
    name: name as Name,
    value: Number(value),
    hours: Number(hours),
  }))

/** Hours of what was on from one moment to another, by project and name. `from` says what. */
async function hoursOf(
  db: Db | Tx,
  from: RawBuilder<unknown>,
  { organizationId, ref }: Whose,
  { start, end }: Span,
  now: Date,
  byDay: boolean,
): Promise<Row[]> {
  const until = end < now ? end : now
  if (until <= start) return []
  const ofProject = ref === undefined ? sql`` : sql`and u.project_ref = ${ref}`
  const found = await sql<Row>`
    select u.project_ref as ref, u.name, ${byDay ? sql`d.day::date::text` : sql`null`} as day,
      sum(extract(epoch from least(coalesce(u.ended_at, ${until}), d.day + d.length, ${until})
        - greatest(u.started_at, d.day, ${start}))) / 3600 as value, 1 as hours
    from (${from}) u, lateral (
      select day at time zone 'utc' as day, interval '1 day' as length from generate_series(
        date_trunc('day', ${start}::timestamptz at time zone 'utc'), ${until}::timestamptz at time zone 'utc', '1 day') days (day)
      where ${byDay}::boolean
      union all select ${start}::timestamptz, ${until}::timestamptz - ${start}::timestamptz where not ${byDay}::boolean
    ) d
    where u.organization_id = ${organizationId} ${ofProject}
      and u.started_at < least(d.day + d.length, ${until}) and coalesce(u.ended_at, ${until}) > greatest(d.day, ${start})
    group by 1, 2, 3 order by 3, 1, 2`.execute(db)
  return found.rows
}

/** What has been rolled up. */
export const usageReads = (db: Db | Tx) => ({
  /** Sums, the highest of peaks, of sizes the sum of their hours and how many these are; whole days by day where they are whole. */
  async counted({ organizationId, ref }: Whose, { start, end }: Span, byDay: boolean) {
    const [from, until] = [nextDay(start), day(end)]
    const isOne = from > until
    const ofProject = ref === undefined ? sql`` : sql`and project_ref = ${ref}`
    const found = await sql<Row>`
      select project_ref as ref, metric as name, ${byDay ? sql`day::text` : sql`null`} as day,
        case when metric = any(${[...peakMetrics]}::text[]) then max(value) else sum(value) end as value,
        sum(hours) as hours
      from (
        select project_ref, metric, day, value, hours from platform.usage_days
        where organization_id = ${organizationId} ${ofProject}
          and day >= ${from.toISOString().slice(0, 10)} and day < ${until.toISOString().slice(0, 10)}
        union all
        select project_ref, metric, (hour at time zone 'utc')::date, value, 1 from platform.usage_hours
        where organization_id = ${organizationId} ${ofProject} and hour >= ${start} and hour < ${end}
          and (${isOne}::boolean or hour < ${from} or hour >= ${until})
      ) parts
      group by 1, 2, 3 order by 3, 1, 2`.execute(db)
    return shape<StoredMetric>(found.rows)
  },

  /** How many there are: of cycles that begin in the span, each by the day on which it was seen first. */
  async seen(
    { organizationId, ref }: Whose,
    cycles: readonly Date[],
    { start, end }: Span,
    byDay: boolean,
  ) {
    if (cycles.length === 0) return []
    const ofProject = ref === undefined ? sql`` : sql`and project_ref = ${ref}`
    const found = await sql<Row>`
      select project_ref as ref, kind as name,
        ${byDay ? sql`(seen_at at time zone 'utc')::date::text` : sql`null`} as day, count(*) as value, 1 as hours
      from platform.usage_sightings
      where organization_id = ${organizationId} and cycle_start = any(${[...cycles]}::timestamptz[])
        and seen_at >= ${start} and seen_at < ${end} ${ofProject}
      group by 1, 2, 3 order by 3, 1, 2`.execute(db)
    return shape<SightingKind>(found.rows)
  },

  /** Hours that compute ran, by size; that of branches is counted by itself. */
  async compute(whose: Whose, span: Span, now: Date, byDay: boolean) {
    const from = sql`select project_ref, compute_size as name, started_at, ended_at, organization_id
      from platform.compute_usage where branch_of is null`
    return shape<ComputeSizeId>(await hoursOf(db, from, whose, span, now, byDay))
  },

  /** Hours that branches ran, by compute size. */
  async branches(whose: Whose, span: Span, now: Date, byDay: boolean) {
    const from = sql`select project_ref, compute_size as name, started_at, ended_at, organization_id
      from platform.compute_usage where branch_of is not null`
    return shape<ComputeSizeId>(await hoursOf(db, from, whose, span, now, byDay))
  },

  /** Hours of log drains, each by itself; those of the organization have an empty ref. */
  async drains(whose: Whose, span: Span, now: Date, byDay: boolean) {
    const from = sql`select coalesce(project_ref, '') as project_ref, 'log_drain' as name, started_at, ended_at, organization_id
      from platform.add_on_usage where variant = 'log_drain_default'`
    return shape<'log_drain'>(await hoursOf(db, from, whose, span, now, byDay))
  },

  /** Newest first. */
  cycles: (organizationId: string): Promise<CycleRow[]> =>
    db
      .selectFrom('platform.billing_cycles')
      .select(['started_at', 'ended_at', 'tier'])
      .where('organization_id', '=', organizationId)
      .orderBy('started_at', 'desc')
      .limit(36)
      .execute(),

  /** What projects are called; also those that are gone. */
  async names(refs: readonly string[]): Promise<Map<string, string>> {
    if (refs.length === 0) return new Map()
    const rows = await db
      .selectFrom('platform.projects')
      .select(['ref', 'name'])
      .where('ref', 'in', refs)
      .execute()
    return new Map(rows.map(({ ref, name }) => [ref, name]))
  },

  ownsProject: async (organizationId: string, ref: string): Promise<boolean> =>
    (await db
      .selectFrom('platform.projects')
      .select('id')
      .where('ref', '=', ref)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst()) !== undefined,
})
export type UsageReads = ReturnType<typeof usageReads>
