import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { projectStatuses } from '../projects/project-status.ts'
import { Instant } from '../values.ts'
import { planeKinds } from './planes.ts'

/** Work that is done again and again, as one control plane does it. */
export const RoundState = z.object({
  name: z.string(),
  /** Between the end of a run and the next one. */
  seconds: z.number(),
  began_at: Instant.nullable(),
  /** Of the last run that ended; null: none has. */
  duration_ms: z.number().nullable(),
  running: z.boolean(),
  /** In a row, and since when; the last reason. */
  failures: z.number(),
  failing_since: Instant.nullable(),
  failure: z.string().nullable(),
})
export type RoundState = z.infer<typeof RoundState>

/** A subject of a round that could not be looked after the last time. */
export const FailingSubject = z.object({
  round: z.string(),
  subject: z.string(),
  failure: z.string(),
  since: Instant,
  failures: z.number(),
})
export type FailingSubject = z.infer<typeof FailingSubject>

/** The disk below the folder of the installation, as one machine has it. */
export const DiskState = z.object({
  folder: z.string(),
  free_bytes: z.number(),
  size_bytes: z.number(),
  /** What is in it, measured every 10 minutes at most; `why` where it could not be. */
  parts: z.array(
    z.object({ name: z.string(), bytes: z.number().nullable(), why: z.string().nullable() }),
  ),
  parts_at: Instant.nullable(),
})
export type DiskState = z.infer<typeof DiskState>

/** The certificate that one of our addresses shows; `why` where it could not be read. */
export const CertificateState = z.object({
  host: z.string(),
  ends_at: Instant.nullable(),
  why: z.string().nullable(),
  /** Why this installation could not get the next one by itself; null: it could, or it gets none. */
  order_failure: z.string().nullable().default(null),
})
export type CertificateState = z.infer<typeof CertificateState>

/** What only a control plane itself knows; it says it with every sign of life. */
export const PlaneFacts = z.object({
  rounds: z.array(RoundState).default([]),
  failing: z.array(FailingSubject).default([]),
  disk: DiskState.nullable().default(null),
  certificates: z.array(CertificateState).default([]),
  /** Why there is no disk, or there are no certificates, to look at. */
  absent: z.object({ disk: z.string().nullable(), certificates: z.string().nullable() }).default({
    disk: null,
    certificates: null,
  }),
})
export type PlaneFacts = z.infer<typeof PlaneFacts>

const JobRow = z.object({ id: z.string(), name: z.string(), subject: z.string() })
const ofPlane = { place: z.string() }
const ProjectRow = z.object({ ref: z.string(), name: z.string() })

export const Health = z.object({
  taken_at: Instant,
  /** Of the control plane that answers. */
  version: z.string(),
  /** Alerts that are open, the oldest first. */
  open_alerts: z.array(
    z.object({ condition: z.string(), subject: z.string(), message: z.string(), since: Instant }),
  ),
  planes: z.array(
    z.object({
      kind: z.enum(planeKinds),
      place: z.string(),
      version: z.string(),
      /** `ended`: in good order. `lost`: without a word. */
      state: z.enum(['running', 'ended', 'lost']),
      started_at: Instant,
      heard_at: Instant,
      memory_bytes: z.number(),
    }),
  ),
  database: z.object({
    version: z.string(),
    started_at: Instant,
    size_bytes: z.number(),
    connections: z.number(),
    max_connections: z.number(),
    /** Servers that follow it. */
    standbys: z.number(),
  }),
  jobs: z.object({
    waiting: z.number(),
    running: z.number(),
    /** Of the last 24 hours. */
    finished: z.number(),
    failed: z.number(),
    /** Of those that have not finished. */
    oldest: JobRow.extend({ accepted_at: Instant }).nullable(),
    /** Not finished after an hour; a mail after 3 hours. */
    stuck: z.array(JobRow.extend({ accepted_at: Instant })),
    /** The last ones. */
    failures: z.array(JobRow.extend({ failure: z.string(), finished_at: Instant })),
  }),
  rounds: z.array(RoundState.extend(ofPlane)),
  failing: z.array(FailingSubject.extend(ofPlane)),
  mails: z.object({
    waiting: z.number(),
    oldest_at: Instant.nullable(),
    /** Not sent after all attempts, in the last 7 days. */
    given_up: z.number(),
  }),
  disks: z.array(DiskState.extend(ofPlane)),
  certificates: z.array(CertificateState.extend(ofPlane)),
  projects: z.object({
    by_status: z.array(z.object({ status: z.enum(projectStatuses), count: z.number() })),
    unhealthy: z.array(
      ProjectRow.extend({
        status: z.enum(projectStatuses),
        since: Instant,
        failure: z.string().nullable(),
      }),
    ),
    /** By what their servers used in the last hour. */
    heaviest: z.array(
      ProjectRow.extend({
        /** Cores on average. */
        cpu: z.number().nullable(),
        memory_bytes: z.number().nullable(),
        disk_bytes: z.number().nullable(),
      }),
    ),
  }),
  /** Scheduled ones, of projects whose plan has them; null where somebody else keeps them. */
  backups: z
    .object({
      promised: z.number(),
      late: z.array(ProjectRow.extend({ due_at: Instant })),
      failed: z.array(ProjectRow.extend({ failed_at: Instant, failure: z.string() })),
      newest_at: Instant.nullable(),
      /** Of the project that waits longest, the newest one. */
      oldest_newest: ProjectRow.extend({ made_at: Instant }).nullable(),
    })
    .nullable(),
  /** What cannot be known here, and why. */
  absent: z.array(z.object({ part: z.string(), why: z.string() })),
})
export type Health = z.infer<typeof Health>
/** But for its alerts, which are made from this. */
export type HealthFindings = Omit<Health, 'open_alerts'>

export const health = {
  get: endpoint('health.get', 'GET /platform/operator/health', {
    needs: 'operator',
    sessionOnly: true,
    local: true,
    input: z.object({}),
    returns: Health,
  }),
}
