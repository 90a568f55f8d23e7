import { sql } from 'kysely'
import type { Health } from '#contract/operations/health'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Db } from '../../platform-database/database.ts'

/** What was promised of scheduled backups. */
export type BackupPromise = {
  /** How many days each tier keeps them; 0: it has none. */
  days: Readonly<Record<string, number>>
  /** Milliseconds between two, and before the first of a new project. */
  betweenMs: number
  atFirstMs: number
}

/** In these a project does not do what its people want of it. */
const unhealthy: readonly ProjectStatus[] = [
  'ACTIVE_UNHEALTHY',
  'INIT_FAILED',
  'RESTORE_FAILED',
  'PAUSE_FAILED',
]
const maxUnhealthy = 100
const maxHeaviest = 10
const hourMs = 3_600_000
/** A late backup waits for its turn for so long before anybody is told. */
const patienceMs = 3 * hourMs

const numberOf = (value: string | null) => (value === null ? null : Number(value))

/** What the platform's database knows of itself and of all projects. */
export const healthStore = (db: Db) => ({
  async database(): Promise<Health['database']> {
    const found = await sql<{
      version: string
      started_at: Date
      size_bytes: string
      connections: number
      max_connections: number
      standbys: number
    }>`
      select current_setting('server_version') as version, pg_postmaster_start_time() as started_at,
        pg_database_size(current_database()) as size_bytes,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
        current_setting('max_connections')::int as max_connections,
        (select count(*)::int from pg_stat_replication) as standbys`.execute(db)
    const [row] = found.rows
    if (!row) throw new Error('The database says nothing of itself')
    return {
      ...row,
      started_at: row.started_at.toISOString(),
      size_bytes: Number(row.size_bytes),
    }
  },

  async projects(now: Date): Promise<Health['projects']> {
    const byStatus = await sql<{ status: ProjectStatus; count: number }>`
      select status, count(*)::int as count from platform.projects
      where status <> 'REMOVED' group by status order by count desc, status`.execute(db)
    const ill = await sql<{
      ref: string
      name: string
      status: ProjectStatus
      since: Date
      failure: string | null
    }>`
      select ref, name, status, status_since as since, failure from platform.projects
      where status = any(${unhealthy}) order by status_since, id limit ${maxUnhealthy}`.execute(db)
    const heaviest = await sql<{
      ref: string
      name: string
      cpu: number | null
      memory_bytes: string | null
      disk_bytes: string | null
    }>`
      select p.ref, p.name, avg(m.cpu) as cpu, avg(m.memory_bytes)::bigint as memory_bytes,
        max(d.database_bytes + d.other_bytes) as disk_bytes
      from platform.metric_samples m join platform.projects p on p.id = m.project_id
        left join platform.project_disk d on d.project_id = p.id
      where m.began_at > ${new Date(now.getTime() - hourMs)} and p.status <> 'REMOVED'
      group by p.id order by avg(m.cpu) desc nulls last, avg(m.memory_bytes) desc nulls last, p.id
      limit ${maxHeaviest}`.execute(db)
    return {
      by_status: byStatus.rows,
      unhealthy: ill.rows.map(({ since, ...row }) => ({ ...row, since: since.toISOString() })),
      heaviest: heaviest.rows.map((row) => ({
        ...row,
        memory_bytes: numberOf(row.memory_bytes),
        disk_bytes: numberOf(row.disk_bytes),
      })),
    }
  },

  async backups(
    { days, betweenMs, atFirstMs }: BackupPromise,
    now: Date,
  ): Promise<NonNullable<Health['backups']>> {
    const promised = await sql<{
      ref: string
      name: string
      newest: Date | null
      due: Date
    }>`
      select p.ref, p.name, b.newest, greatest(p.status_since,
          coalesce(b.begun + ${betweenMs} * interval '1 millisecond', p.inserted_at + ${atFirstMs} * interval '1 millisecond')) as due
      from platform.projects p join platform.organizations o on o.id = p.organization_id
        left join lateral (
          select max(taken_at) as newest, max(inserted_at) as begun from platform.backups
          where project_id = p.id and reason = 'scheduled' and status = 'COMPLETED') b on true
      where p.status = 'ACTIVE_HEALTHY' and (${JSON.stringify(days)}::jsonb ->> o.tier)::int > 0
      order by due, p.id`.execute(db)
    const failed = await sql<{ ref: string; name: string; failed_at: Date; failure: string }>`
      select p.ref, p.name, b.finished_at as failed_at, coalesce(b.failure, '') as failure
      from platform.projects p join lateral (
          select status, finished_at, failure from platform.backups
          where project_id = p.id and status in ('COMPLETED', 'FAILED') and finished_at is not null
          order by finished_at desc, id desc limit 1) b on b.status = 'FAILED'
      where p.status <> 'REMOVED' order by b.finished_at, p.id limit ${maxUnhealthy}`.execute(db)
    const made = promised.rows.flatMap(({ ref, name, newest }) =>
      newest ? [{ ref, name, newest }] : [],
    )
    const byAge = made.toSorted((a, b) => a.newest.getTime() - b.newest.getTime())
    const [last] = byAge
    return {
      promised: promised.rows.length,
      late: promised.rows
        .filter(({ due }) => now.getTime() - due.getTime() > patienceMs)
        .slice(0, maxUnhealthy)
        .map(({ ref, name, due }) => ({ ref, name, due_at: due.toISOString() })),
      failed: failed.rows.map(({ failed_at, ...row }) => ({
        ...row,
        failed_at: failed_at.toISOString(),
      })),
      newest_at: byAge.at(-1)?.newest.toISOString() ?? null,
      oldest_newest: last
        ? { ref: last.ref, name: last.name, made_at: last.newest.toISOString() }
        : null,
    }
  },
})
export type HealthStore = ReturnType<typeof healthStore>
