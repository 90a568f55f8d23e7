import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { planLimits } from '../limits.ts'
import { inOrganization } from '../permissions.ts'
import { hasFeature } from '../billing/plan-comparison.ts'
import type { PlanId } from '../billing/plans.ts'
import { Instant, ProjectRef, Slug, wholeNumber } from '../values.ts'

/**
 * Days that the audit log of an organization can be read back, by plan; null: not part of the plan (requirements §6,
 * "Team and above: dashboard audit trails", and the retention of §9). Entries themselves are never deleted.
 */
export const auditRetentionDays = (plan: PlanId): number | null =>
  hasFeature(plan, 'dashboard.auditTrails') ? planLimits[plan].logRetentionDays : null

/** One accepted change (facts §3.2). */
export const AuditEntry = z.object({
  id: z.string(),
  action: z.object({
    /** The name of the call, such as `projects.create`. */
    name: z.string(),
    /** The call behind the action, when it is one of the platform API. */
    metadata: z.array(z.object({ method: z.string(), route: z.string(), status: z.number() })),
  }),
  actor: z.object({
    /** Null: the platform itself, such as a job that was due. */
    id: z.string().nullable(),
    type: z.enum(['user', 'system']),
    metadata: z.array(z.object({ email: z.string(), ip: z.string().nullable() })),
  }),
  target: z.object({
    /** Such as `project:abcdefghijklmnopqrst`. */
    description: z.string(),
    metadata: z.object({ org_slug: z.string(), project_ref: z.string().optional() }),
  }),
  /** What was changed: before and after. Never holds a secret. */
  change: z.record(z.string(), z.unknown()),
  user_agent: z.string().nullable(),
  request_id: z.string().nullable(),
  /** The link of the chain that this entry is. */
  hash: z.string(),
  occurred_at: Instant,
})
export type AuditEntry = z.infer<typeof AuditEntry>

const BySlug = z.object({ slug: Slug })
const needs = inOrganization('read:Read', 'audit_logs')
const instant = z.iso.datetime({ offset: true })

export const audit = {
  list: endpoint('audit.list', 'GET /platform/organizations/:slug/audit', {
    needs,
    input: BySlug.extend({
      /** Both inclusive; what lies before the plan's retention is left out. */
      iso_timestamp_start: instant.optional(),
      iso_timestamp_end: instant.optional(),
      /** Id of who did it. */
      user: z.uuid().optional(),
      project: ProjectRef.optional(),
      /** Such as `projects.create`, or the first part of it: `projects`. */
      action: z
        .string()
        .max(100)
        .regex(/^[A-Za-z0-9.-]+$/)
        .optional(),
      limit: wholeNumber(1, 100).default(50),
      /** `next` of the page before. */
      cursor: z
        .string()
        .regex(/^\d{1,18}$/, 'must be one that an answer gave')
        .optional(),
    }),
    returns: z.object({
      /** Newest first. */
      result: z.array(AuditEntry),
      /** Days. */
      retention_period: z.number(),
      /** Older entries follow after this; null when these were the last. */
      next: z.string().nullable(),
    }),
  }),
  /** What the filters of the list can be set to: what occurs within the retention. */
  filters: endpoint('audit.filters', 'GET /platform/organizations/:slug/audit/filters', {
    needs,
    input: BySlug,
    returns: z.object({
      users: z.array(z.object({ id: z.string(), email: z.string() })),
      projects: z.array(z.object({ ref: z.string(), name: z.string() })),
      actions: z.array(z.string()),
    }),
  }),
  /** Reads the whole chain and computes every hash anew. */
  verify: endpoint('audit.verify', 'POST /platform/organizations/:slug/audit/verify', {
    needs,
    perMinute: 6,
    input: BySlug,
    returns: z.object({
      intact: z.boolean(),
      entries: z.number(),
      /** The first entry that does not follow from the ones before it. */
      broken_at: z.string().nullable(),
    }),
  }),
}
