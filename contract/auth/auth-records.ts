import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import type { PlanId } from '../billing/plans.ts'
import { Instant, ProjectRef as ref, wholeNumber } from '../values.ts'

/**
 * Hours that the audit entries of a project's auth service can be read back, by plan (requirements §9, "Auth audit"; for
 * Enterprise as its logs). The entries themselves stay in the project's database.
 */
export const authAuditHours: Record<PlanId, number> = {
  free: 1,
  pro: 7 * 24,
  team: 28 * 24,
  enterprise: 90 * 24,
}

/** One line of auth.audit_log_entries. */
export const AuthAuditEntry = z.object({
  id: z.string(),
  created_at: Instant,
  ip_address: z.string(),
  /** `action`, `actor_id`, `actor_username`, `log_type`, `traits` and what else was written. */
  payload: z.record(z.string(), z.unknown()),
})
export type AuthAuditEntry = z.infer<typeof AuthAuditEntry>

const reads = inProject('tenant:Sql:Read:Select', 'auth.audit_log_entries')
const instant = z.iso.datetime({ offset: true })

/** How the days of the overview can be chosen. */
export const overviewDays = [7, 30, 90] as const
export type OverviewDays = (typeof overviewDays)[number]

const Amount = z.object({ count: z.number(), is_estimate: z.boolean() })
const PerDay = z.object({ day: z.string(), count: z.number() })

/** What a project's auth service has written down, and what that comes to. */
export const authRecords = {
  audit: endpoint('authRecords.audit', 'GET /platform/auth/:ref/audit-logs', {
    needs: reads,
    input: z.object({
      ref,
      /** Such as `login`. */
      action: z.string().max(100).optional(),
      /** Who did it: their whole address or number in any case, or their id. */
      actor: z.string().trim().max(255).optional(),
      /** Everything that a user did or that was done to them; by id. */
      user: z.guid().optional(),
      from: instant.optional(),
      to: instant.optional(),
      limit: wholeNumber(1, 100).default(50),
      cursor: z.string().max(200).optional(),
    }),
    returns: z.object({
      /** Newest first. */
      entries: z.array(AuthAuditEntry),
      next: z.string().nullable(),
      /** From when on the plan of the organization shows entries. */
      since: Instant,
    }),
    raw: true,
  }),
  overview: endpoint('authRecords.overview', 'GET /platform/auth/:ref/overview', {
    needs: reads,
    input: z.object({ ref, days: z.enum(['7', '30', '90']).default('7') }),
    returns: z.object({
      users: Amount,
      anonymous: Amount,
      banned: z.number(),
      sessions: Amount,
      /** One for each day of the range in UTC, oldest first, days without any too. */
      new_users: z.array(PerDay),
      sign_ins: z.array(PerDay),
      /** Requests that led to a mail or text message: confirmations, invitations, links and codes. */
      messages: z.array(PerDay),
      /** How users can sign in, the most frequent first. */
      providers: z.array(z.object({ provider: z.string(), count: z.number() })),
      providers_estimate: z.boolean(),
    }),
    raw: true,
  }),
}
