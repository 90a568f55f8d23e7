import {
  maxCronJobs,
  type cron,
  type CronJob,
  type CronResults,
  type CronRun,
} from '#contract/integrations/cron'
import type { Output, Parsed } from '#contract/endpoint'
import { ApiError } from '#kit/errors'
import { databaseTimezone } from '../../projects/timezone-store.ts'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'

/** When a schedule is due for the first time after a moment, in milliseconds since 1970; undefined: never. */
export type NextTick = (schedule: string, after: number, timezone: string) => number | undefined

const stateRow = `select exists (select from pg_extension where extname = 'pg_cron') as installed, ${databaseTimezone} as timezone`

const instant = (column: string) =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const runColumns = `runid::text as id, jobid::text as job, status, return_message as message, left(command, 2000) as command,
  username, ${instant('start_time')} as started, ${instant('end_time')} as ended`

const jobRows = `
  select j.jobid::text as id, j.jobname as name, j.schedule, j.command, j.username, j.active, to_jsonb(last) as last
  from cron.job j left join lateral (
    select ${runColumns} from cron.job_run_details d where d.jobid = j.jobid order by runid desc limit 1
  ) last on true
  order by j.jobid limit $1
`
const runRows = `
  select ${runColumns} from cron.job_run_details
  where ($1::bigint is null or jobid = $1) and ($2::text is null or status = $2) and ($3::bigint is null or runid < $3)
  order by runid desc limit $4
`

const resultRows = `
  select ${instant('part.at')} as began_at,
    count(*) filter (where d.status = 'succeeded')::int as succeeded,
    count(*) filter (where d.status = 'failed')::int as failed,
    round(extract(epoch from max(d.end_time - d.start_time)) * 1000)::float8 as longest_ms
  from generate_series(date_trunc('hour', now()) - make_interval(hours => $1::int - 1), now(), interval '1 hour') as part (at)
  left join cron.job_run_details d on d.start_time >= part.at and d.start_time < part.at + interval '1 hour'
    and ($2::bigint is null or d.jobid = $2)
  group by part.at order by part.at
`

async function stateOf(db: Queryable): Promise<{ installed: boolean; timezone: string }> {
  const [state] = await rowsOf<{ installed: boolean; timezone: string }>(db, stateRow, [])
  if (!state) throw new Error('A select of constants has no row')
  return state
}

export const cronHandlers = (nextTick: NextTick) => {
  const dueAt = (schedule: string, timezone: string, after = Date.now()) => {
    const tick = nextTick(schedule, after, timezone)
    return tick === undefined ? null : new Date(tick).toISOString()
  }
  return {
    async list(db: Queryable): Promise<Output<typeof cron.list>> {
      const state = await stateOf(db)
      if (!state.installed) return { ...state, jobs: [] }
      const rows = await rowsOf<Omit<CronJob, 'next'>>(db, jobRows, [maxCronJobs])
      const jobs = rows.map((job) => ({
        ...job,
        next: job.active ? dueAt(job.schedule, state.timezone) : null,
      }))
      return { ...state, jobs }
    },

    async preview(
      db: Queryable,
      { schedule }: Parsed<typeof cron.preview>,
    ): Promise<Output<typeof cron.preview>> {
      const { timezone } = await stateOf(db)
      const next: string[] = []
      while (next.length < 5) {
        const last = next.at(-1)
        const due = dueAt(schedule, timezone, last === undefined ? undefined : Date.parse(last))
        if (due === null) break
        next.push(due)
      }
      return { timezone, next }
    },

    async runs(db: Queryable, input: Parsed<typeof cron.runs>): Promise<{ runs: CronRun[] }> {
      if (!(await stateOf(db)).installed) return { runs: [] }
      const { job = null, status = null, before = null, limit } = input
      return { runs: await rowsOf<CronRun>(db, runRows, [job, status, before, limit]) }
    },

    async results(
      db: Queryable,
      input: Parsed<typeof cron.results>,
    ): Promise<{ bars: CronResults[] }> {
      if (!(await stateOf(db)).installed) return { bars: [] }
      const { hours, job = null } = input
      return { bars: await rowsOf<CronResults>(db, resultRows, [hours, job]) }
    },

    async create(db: Queryable, input: Parsed<typeof cron.create>): Promise<{ id: string }> {
      const known = 'select from cron.job where jobname = $1 and username = current_user'
      const [same] = await rowsOf(db, known, [input.name])
      if (same) throw new ApiError('conflict', `There is a job named ${input.name}`)
      const [made] = await rowsOf<{ id: string }>(
        db,
        'select cron.schedule_in_database($1, $2, $3, current_database(), null, $4)::text as id',
        [input.name, input.schedule, input.command, input.active],
      )
      return { id: made?.id ?? '' }
    },

    async update(db: Queryable, input: Parsed<typeof cron.update>): Promise<{ id: string }> {
      const { id, schedule = null, command = null, active = null } = input
      await findJob(db, id)
      await rowsOf(
        db,
        'select cron.alter_job($1::bigint, schedule := $2, command := $3, active := $4)',
        [id, schedule, command, active],
      )
      return { id }
    },

    async remove(db: Queryable, { id }: { id: string }): Promise<{ id: string }> {
      await findJob(db, id)
      await rowsOf(db, 'select cron.unschedule($1::bigint)', [id])
      return { id }
    },

    /** The scheduler hears of it (data-plane/cron). */
    async run(db: Queryable, { id }: { id: string }): Promise<{ id: string }> {
      const { active } = await findJob(db, id)
      if (!active)
        throw new ApiError('conflict', 'The job is switched off: switch it on to have it run')
      await rowsOf(db, `select pg_notify('plinth_cron', 'run ' || $1::text)`, [id])
      return { id }
    },
  }
}

async function findJob(db: Queryable, id: string): Promise<{ active: boolean }> {
  const known = 'select active from cron.job where jobid = $1::numeric'
  const [job] = await rowsOf<{ active: boolean }>(db, known, [id])
  if (!job) throw new ApiError('not_found', `There is no job ${id}`)
  return job
}
