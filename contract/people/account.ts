import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Instant, wholeNumber } from '../values.ts'

/** Days that a person's own audit log reaches back, as the longest of the plans does (requirements §9). */
export const accountAuditDays = 28

/** One accepted change (facts §3.2). */
export const AccountAuditEntry = z.object({
  id: z.string(),
  action: z.object({
    /** The name of the call, such as `projects.create`. */
    name: z.string(),
    /** The call behind the action, when it is one of the platform API. */
    metadata: z.array(z.object({ method: z.string(), route: z.string(), status: z.number() })),
  }),
  actor: z.object({
    id: z.string(),
    type: z.literal('user'),
    metadata: z.array(z.object({ email: z.string(), ip: z.string().nullable() })),
  }),
  target: z.object({
    /** Such as `project:abcdefghijklmnopqrst`. */
    description: z.string(),
    metadata: z.object({ org_slug: z.string().optional(), project_ref: z.string().optional() }),
  }),
  /** What was changed: before and after. */
  change: z.record(z.string(), z.unknown()),
  occurred_at: Instant,
})
export type AccountAuditEntry = z.infer<typeof AccountAuditEntry>

export const account = {
  audit: endpoint('account.audit', 'GET /platform/profile/audit', {
    needs: 'signed-in',
    input: z.object({
      date_start: z.iso.datetime({ offset: true }).optional(),
      date_end: z.iso.datetime({ offset: true }).optional(),
      /** In the action or its target, whatever the case of letters. */
      search: z.string().max(100).optional(),
      limit: wholeNumber(1, 100).default(50),
      /** `next` of the page before. */
      cursor: z
        .string()
        .regex(/^\d{1,18}$/, 'must be one that an answer gave')
        .optional(),
    }),
    returns: z.object({
      result: z.array(AccountAuditEntry),
      /** Days. */
      retention_period: z.number(),
      /** Older entries of the range follow after this; null when these were the last. */
      next: z.string().nullable(),
    }),
  }),
}
