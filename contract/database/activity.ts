import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef as ref } from '../values.ts'

/** Whose session it is: of a service of the platform, of this dashboard, of the data API, or of another program. */
export const sessionKinds = ['platform', 'dashboard', 'api', 'other'] as const
export type SessionKind = (typeof sessionKinds)[number]

/** One session of a project's database (pg_stat_activity). */
export const Session = z.object({
  pid: z.number(),
  kind: z.enum(sessionKinds),
  role: z.string(),
  application: z.string(),
  address: z.string().nullable(),
  /** When the session began, to the microsecond: together with the pid it names one session for good. Hidden, as most of the rest, from who may only read. */
  started: Instant.nullable(),
  transaction_started: Instant.nullable(),
  query_started: Instant.nullable(),
  state: z.string().nullable(),
  state_changed: Instant.nullable(),
  /** What it waits for, as `Lock: transactionid`. */
  wait: z.string().nullable(),
  /** Null where the login may not see it. */
  query: z.string().nullable(),
  blocked_by: z.array(z.number()),
})
export type Session = z.infer<typeof Session>

const ByRef = z.object({ ref })
const reads = inProject('tenant:Sql:Admin:Read', 'activity')
const writes = inProject('tenant:Sql:Admin:Write', 'activity')
const base = '/platform/pg-meta/:ref/activity' as const
const pid = z.coerce.number().int().min(1).max(2_147_483_647)
/** As the list told it: the number may have gone to another session meanwhile. */
const started = z.string().max(40)
const Signalled = z.object({ pid: z.number() })

export const activity = {
  /** Sessions of clients, without the one that asks; who waits for another stands with whom it waits for. */
  list: endpoint('activity.list', `GET ${base}`, {
    needs: reads,
    input: ByRef,
    returns: z.object({ now: Instant, sessions: z.array(Session) }),
  }),
  /** Stops what the session runs; it stays connected. */
  cancel: endpoint('activity.cancel', `POST ${base}/:pid/cancel`, {
    needs: writes,
    input: ByRef.extend({ pid, started }),
    returns: Signalled,
  }),
  /** Ends the session and rolls back what it had open. One of the platform's own only when `platform` says so. */
  terminate: endpoint('activity.terminate', `POST ${base}/:pid/terminate`, {
    needs: writes,
    input: ByRef.extend({ pid, started, platform: z.boolean().default(false) }),
    returns: Signalled,
  }),
}
