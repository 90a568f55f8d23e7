import { sql } from 'kysely'
import type { Counted, RequestCount, UsedService } from '#contract/projects/project-home'
import type { Db } from '../../platform-database/database.ts'

export type HomeStore = ReturnType<typeof homeStore>
export type Part = { service: UsedService; bar: number; requests: number; errors: number }

/** All functions of a project are told of as one service. */
const used = sql`case when service like 'function:%' then 'functions' else service end`

/** Adds two histograms, class by class. */
const sum = sql`(select array_agg(a + b order by i)
  from unnest(platform.request_counts.histogram, excluded.histogram) with ordinality u (a, b, i))`

const added = sql`do update set
  requests = platform.request_counts.requests + excluded.requests,
  errors = platform.request_counts.errors + excluded.errors,
  cpu_ms = platform.request_counts.cpu_ms + excluded.cpu_ms,
  memory_mb = greatest(platform.request_counts.memory_mb, excluded.memory_mb),
  histogram = ${sum}`

export const homeStore = (db: Db) => ({
  /** Counts of projects that are not there are left out. */
  async add(counts: readonly RequestCount[]): Promise<void> {
    const rows = JSON.stringify(counts)
    await db.transaction().execute(async (tx) => {
      await sql`
        insert into platform.request_counts
          (project_ref, service, began_at, seconds, requests, errors, histogram, cpu_ms, memory_mb)
        select c.ref, c.service, to_timestamp(c.minute / 1000.0), 60, c.requests, c.errors, c.histogram, c."cpuMs", c."memoryMb"
        from jsonb_to_recordset(${rows}::jsonb)
          as c (ref text, service text, minute bigint, requests bigint, errors bigint, histogram bigint[],
            "cpuMs" bigint, "memoryMb" integer)
        join platform.projects p on p.ref = c.ref
        order by c.ref, c.service, c.minute
        on conflict (project_ref, service, seconds, began_at) ${added}`.execute(tx)
      await sql`
        insert into platform.project_key_uses (project_ref, first_used_at)
        select c.ref, min(to_timestamp(c.minute / 1000.0))
        from jsonb_to_recordset(${rows}::jsonb) as c (ref text, minute bigint, keyed boolean)
        join platform.projects p on p.ref = c.ref
        where c.keyed group by c.ref order by c.ref
        on conflict do nothing`.execute(tx)
    })
  },

  /** Minutes before `fine` become half hours, and what began before `oldest` goes. */
  async prune(fine: Date, oldest: Date): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await sql`delete from platform.request_counts where began_at < ${oldest}`.execute(tx)
      await sql`
        with minutes as (
          delete from platform.request_counts where seconds = 60 and began_at < ${fine} returning *
        ), classes as (
          select project_ref, service, date_bin('30 minutes', began_at, 'epoch') as began_at, i, sum(n)::bigint as n
          from minutes, unnest(histogram) with ordinality u (n, i) group by 1, 2, 3, 4
        ), halves as (
          select project_ref, service, date_bin('30 minutes', began_at, 'epoch') as began_at,
            sum(requests)::bigint as requests, sum(errors)::bigint as errors,
            sum(cpu_ms)::bigint as cpu_ms, max(memory_mb) as memory_mb
          from minutes group by 1, 2, 3
        )
        insert into platform.request_counts
          (project_ref, service, began_at, seconds, requests, errors, cpu_ms, memory_mb, histogram)
        select h.project_ref, h.service, h.began_at, 1800, h.requests, h.errors, h.cpu_ms, h.memory_mb,
          (select array_agg(c.n order by c.i) from classes c
            where (c.project_ref, c.service, c.began_at) = (h.project_ref, h.service, h.began_at))
        from halves h
        on conflict (project_ref, service, seconds, began_at) ${added}`.execute(tx)
    })
  },

  /** Bars of `seconds` each, numbered from `from`; those without requests are missing. */
  async bars(ref: string, from: Date, seconds: number): Promise<Part[]> {
    const found = await sql<{
      service: UsedService
      bar: number
      requests: string
      errors: string
    }>`
      select ${used} as service, floor(extract(epoch from began_at - ${from}::timestamptz) / ${seconds}::int)::int as bar,
        sum(requests) as requests, sum(errors) as errors
      from platform.request_counts
      where project_ref = ${ref} and began_at >= ${from}
      group by 1, 2`.execute(db)
    return found.rows.map((row) => ({
      ...row,
      requests: Number(row.requests),
      errors: Number(row.errors),
    }))
  },

  /** Of one service or function: how many answers took how long, for each bar in which there were any. */
  async classes(ref: string, service: Counted, from: Date, seconds: number) {
    const found = await sql<{ bar: number; errors: string; counts: string[] }>`
      select bar, sum(n) filter (where i = 0) as errors, array_agg(n order by i) filter (where i > 0) as counts
      from (
        select floor(extract(epoch from began_at - ${from}::timestamptz) / ${seconds}::int)::int as bar,
          i, sum(n)::bigint as n
        from platform.request_counts, unnest(errors || histogram) with ordinality u (n, at), lateral (select at - 1) v (i)
        where project_ref = ${ref} and service = ${service} and began_at >= ${from}
        group by 1, 2
      ) parts group by 1`.execute(db)
    return found.rows.map(({ bar, errors, counts }) => ({
      bar,
      errors: Number(errors),
      histogram: counts.map(Number),
    }))
  },

  /**
   * Of one function: what its workers used, for each bar in which there were any. What is kept by the half hour only is no
   * part of shorter bars.
   */
  async loads(ref: string, service: Counted, from: Date, seconds: number) {
    const found = await sql<{
      bar: number
      requests: string
      cpu_ms: string
      memory_mb: number
    }>`
      select floor(extract(epoch from began_at - ${from}::timestamptz) / ${seconds}::int)::int as bar,
        sum(requests) as requests, sum(cpu_ms) as cpu_ms, max(memory_mb) as memory_mb
      from platform.request_counts
      where project_ref = ${ref} and service = ${service} and began_at >= ${from} and seconds <= ${seconds}
      group by 1`.execute(db)
    return found.rows.map((row) => ({
      ...row,
      requests: Number(row.requests),
      cpu_ms: Number(row.cpu_ms),
    }))
  },

  async histograms(ref: string, from: Date): Promise<Map<UsedService, number[]>> {
    const found = await sql<{ service: UsedService; counts: string[] }>`
      select service, array_agg(n order by i) as counts from (
        select ${used} as service, i, sum(n)::bigint as n
        from platform.request_counts, unnest(histogram) with ordinality u (n, i)
        where project_ref = ${ref} and began_at >= ${from}
        group by 1, 2
      ) classes group by 1`.execute(db)
    return new Map(found.rows.map(({ service, counts }) => [service, counts.map(Number)]))
  },

  async keyUsedAt(ref: string): Promise<Date | undefined> {
    const row = await db
      .selectFrom('platform.project_key_uses')
      .select('first_used_at')
      .where('project_ref', '=', ref)
      .executeTakeFirst()
    return row?.first_used_at
  },

  /** The newest changes of one project since it is in its organization. */
  activity: (ref: string, limit: number) =>
    db
      .selectFrom('platform.audit_entries as e')
      .innerJoin('platform.projects as p', 'p.organization_id', 'e.organization_id')
      .select(['e.id', 'e.action', 'e.actor_email', 'e.occurred_at'])
      .where('p.ref', '=', ref)
      .where('e.target', '=', `project:${ref}`)
      .orderBy('e.id', 'desc')
      .limit(limit)
      .execute(),
})
