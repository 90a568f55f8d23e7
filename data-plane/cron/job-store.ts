import type { ClientBase, Pool } from 'pg'
import { databaseTimezone } from '../projects/timezone-store.ts'

export type Job = {
  /** A bigint, as text. */
  id: string
  schedule: string
}

/** A run that has begun, as the job was at that moment. */
export type Run = { id: string; command: string; username: string }

/** Of one project at most; those that were scheduled first. */
export const maxJobs = 1000

/** Hears of every change of the jobs that is committed, and of each job that somebody wants to be run now. */
export async function listenForJobs(
  client: ClientBase,
  heard: (job: string | undefined) => void,
): Promise<void> {
  client.on('notification', ({ payload = '' }) => heard(/^run (\d{1,19})$/.exec(payload)?.[1]))
  await client.query('listen plinth_cron')
}

/** Whether this session is the one that runs jobs, as long as it lives. */
export async function becomeScheduler(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ ok: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('plinth_cron', 0)) as ok`,
  )
  return rows[0]?.ok === true
}

/**
 * What has to be right before anything runs. Runs of a process that has ended are noted as such. Jobs that came with a copy of
 * another project are switched off: what they do was meant for that one. How many these were.
 */
export async function settleJobs(client: ClientBase, ref: string): Promise<number> {
  await client.query(
    `update cron.job_run_details set status = 'failed', end_time = clock_timestamp(),
       return_message = 'The process that ran the job has ended; how far it came is not known'
     where status = 'running'`,
  )
  const { rows } = await client.query<{ stopped: number }>(
    `with other as (delete from cron._project where ref <> $1 returning ref),
     stopped as (update cron.job set active = false where active and exists (select from other) returning jobid),
     own as (insert into cron._project (ref) values ($1) on conflict do nothing)
     select count(*)::int as stopped from stopped`,
    [ref],
  )
  return rows[0]?.stopped ?? 0
}

export async function readJobs(client: ClientBase): Promise<Job[]> {
  const { rows } = await client.query<Job>(
    'select jobid::text as id, schedule from cron.job where active order by jobid limit $1',
    [maxJobs],
  )
  return rows
}

const timezoneRow = `select ${databaseTimezone} as name`

/** The time zone of the database as it is now. */
export async function readTimezone(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ name: string }>(timezoneRow)
  return rows[0]?.name ?? 'UTC'
}

/** Begins the run of a job for one moment. Undefined: it was begun for it, or a later one, or is not to run any more. */
export async function beginRun(pool: Pool, job: string, tick: number): Promise<Run | undefined> {
  const { rows } = await pool.query<Run>(
    `with claimed as (
       insert into cron._ticks as t (jobid, tick)
       select jobid, $2::timestamptz from cron.job where jobid = $1 and active
       on conflict (jobid) do update set tick = excluded.tick where t.tick < excluded.tick
       returning jobid)
     insert into cron.job_run_details (jobid, database, username, command, status, start_time)
     select j.jobid, j.database, j.username, j.command, 'running', clock_timestamp()
     from claimed join cron.job j using (jobid)
     returning runid::text as id, command, username`,
    [job, new Date(tick).toISOString()],
  )
  return rows[0]
}

/** Notes which session carries a run out, and names it, so that what it says in the log of the server is told apart. */
export async function enterRun(client: ClientBase, pool: Pool, run: string): Promise<void> {
  const { rows } = await client.query<{ pid: number }>(
    `select pg_backend_pid() as pid from set_config('application_name', 'pg_cron', false)`,
  )
  await pool.query('update cron.job_run_details set job_pid = $2 where runid = $1', [
    run,
    rows[0]?.pid,
  ])
}

export type Outcome = { status: 'succeeded' | 'failed'; message: string }

export async function endRun(pool: Pool, run: string, outcome: Outcome): Promise<void> {
  await pool.query(
    `update cron.job_run_details set status = $2, return_message = $3, end_time = clock_timestamp()
     where runid = $1 and status = 'running'`,
    [run, outcome.status, outcome.message],
  )
}

/** Runs are kept as long as the plan says, and of each job no more than ten thousand. */
export async function forgetRuns(pool: Pool, days: number): Promise<void> {
  await pool.query(
    `delete from cron.job_run_details where status <> 'running' and start_time < now() - make_interval(days => $1)`,
    [days],
  )
  await pool.query(
    `delete from cron.job_run_details d using (
       select runid from (
         select runid, row_number() over (partition by jobid order by runid desc) as place from cron.job_run_details
       ) run where place > 10000
     ) old where d.runid = old.runid and d.status <> 'running'`,
  )
}
