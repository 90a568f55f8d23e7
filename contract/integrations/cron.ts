import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef as ref, wholeNumber } from '../values.ts'

export const runStatuses = ['running', 'succeeded', 'failed'] as const
export type RunStatus = (typeof runStatuses)[number]

/** A bigint, as text. */
const id = z
  .string()
  .regex(/^\d{1,19}$/, 'must be a number')
  .meta({ format: 'int64' })

export const CronRun = z.object({
  id,
  job: id,
  status: z.enum(runStatuses),
  /** What the server said: the command's tag, or why it failed. */
  message: z.string().nullable(),
  command: z.string(),
  username: z.string(),
  started: Instant,
  ended: Instant.nullable(),
})
export type CronRun = z.infer<typeof CronRun>

export const CronJob = z.object({
  id,
  /** Null: it was scheduled without one. */
  name: z.string().nullable(),
  schedule: z.string(),
  command: z.string(),
  /** The role that it runs as. */
  username: z.string(),
  active: z.boolean(),
  /** When it is due next; null while it is switched off, or when it never is. */
  next: Instant.nullable(),
  last: CronRun.nullable(),
})
export type CronJob = z.infer<typeof CronJob>

/** What has become of the runs that began in one hour; those that still run are in none of the counts. */
const CronResults = z.object({
  began_at: Instant,
  succeeded: z.number(),
  failed: z.number(),
  /** Of the longest run, in milliseconds. */
  longest_ms: z.number().nullable(),
})
export type CronResults = z.infer<typeof CronResults>

/** Jobs of one project that run, and that are listed, at most. */
export const maxCronJobs = 1000
/** Roles that jobs can run as (data-plane/cron). */
export const cronRoles = ['postgres', 'service_role', 'authenticated', 'anon'] as const

const name = z.string().trim().min(1).max(200)
const schedule = z.string().trim().min(1).max(200)
const command = z.string().min(1).max(100_000)
const ByRef = z.object({ ref })
const base = '/platform/pg-meta/:ref/cron' as const
const reads = inProject('tenant:Sql:Admin:Read', 'cron')
const writes = inProject('tenant:Sql:Admin:Write', 'cron')

/** Jobs that a project's database runs by a schedule (pg_cron). */
export const cron = {
  list: endpoint('cron.list', `GET ${base}`, {
    needs: reads,
    input: ByRef,
    returns: z.object({
      /** Whether the database has the extension; without it there are no jobs. */
      installed: z.boolean(),
      /** Of the database; schedules are in its time. */
      timezone: z.string(),
      jobs: z.array(CronJob),
    }),
  }),
  /** When a schedule would be due, the next five times; none: it is no schedule, or never due. */
  preview: endpoint('cron.preview', `GET ${base}/preview`, {
    needs: reads,
    input: ByRef.extend({ schedule: z.string().max(200) }),
    returns: z.object({ timezone: z.string(), next: z.array(Instant) }),
  }),
  create: endpoint('cron.create', `POST ${base}`, {
    needs: writes,
    status: 201,
    input: ByRef.extend({ name, schedule, command, active: z.boolean().default(true) }),
    returns: z.object({ id }),
  }),
  update: endpoint('cron.update', `PATCH ${base}/:id`, {
    needs: writes,
    input: ByRef.extend({
      id,
      schedule: schedule.optional(),
      command: command.optional(),
      active: z.boolean().optional(),
    }),
    returns: z.object({ id }),
  }),
  remove: endpoint('cron.remove', `DELETE ${base}/:id`, {
    needs: writes,
    input: ByRef.extend({ id }),
    returns: z.object({ id }),
  }),
  /** Has it run now, beside its schedule; a job that is switched off does not run. */
  run: endpoint('cron.run', `POST ${base}/:id/run`, {
    needs: writes,
    perMinute: 30,
    input: ByRef.extend({ id }),
    returns: z.object({ id }),
  }),
  /** Newest first. */
  runs: endpoint('cron.runs', `GET ${base}/runs`, {
    needs: reads,
    input: ByRef.extend({
      job: id.optional(),
      status: z.enum(runStatuses).optional(),
      /** Those before this one. */
      before: id.optional(),
      limit: wholeNumber(1, 100).default(50),
    }),
    returns: z.object({ runs: z.array(CronRun) }),
  }),
  /** How runs that began in the last hours have ended, in parts of an hour, the oldest first. */
  results: endpoint('cron.results', `GET ${base}/results`, {
    needs: reads,
    input: ByRef.extend({ job: id.optional(), hours: wholeNumber(1, 168).default(24) }),
    returns: z.object({ bars: z.array(CronResults) }),
  }),
}
