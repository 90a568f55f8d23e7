import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { displayName, ProjectRef, Slug } from '../values.ts'

/** What a request for help can be about (facts §10); links may write them in any case. */
export const supportCategories = {
  Problem: 'Something does not work',
  Dashboard_bug: 'A fault in the dashboard',
  Database_unresponsive: 'A database does not answer',
  Performance: 'Something is slow',
  Sales: 'Plans and prices',
  Billing: 'An invoice or a payment',
  Refund: 'Money back',
  Abuse: 'Abuse of the platform',
  Login_issues: 'Signing in',
  Account_deletion: 'Deleting an account',
  Feedback: 'An idea or an opinion',
} as const
export type SupportCategory = keyof typeof supportCategories
const categoryNames = Object.keys(supportCategories) as [SupportCategory, ...SupportCategory[]]

/** The category that a link means, written in any case; undefined when there is none. */
export const supportCategoryOf = (text: string): SupportCategory | undefined =>
  categoryNames.find((name) => name.toLowerCase() === text.toLowerCase())

export const severities = ['Low', 'Normal', 'High', 'Urgent'] as const

/** Bytes of one attached file, and files of one request. */
export const attachmentLimits = { bytes: 2 * 1024 * 1024, files: 5 }
/** What can be attached: told from the bytes, not from the name. */
export const attachmentTypes = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'application/pdf',
  'text/plain',
] as const

export const support = {
  /** A file for the next request, as base64. Files that no request names are forgotten after a day. */
  attach: endpoint('support.attach', 'POST /platform/feedback/attachments', {
    needs: 'signed-in',
    perMinute: 20,
    maxBytes: 3 * 1024 * 1024,
    status: 201,
    input: z.object({
      name: displayName(1, 200),
      base64: z.base64().min(1),
    }),
    returns: z.object({ id: z.uuid(), content_type: z.enum(attachmentTypes), size: z.number() }),
  }),
  send: endpoint('support.send', 'POST /platform/feedback/send', {
    needs: 'signed-in',
    perMinute: 20,
    status: 201,
    input: z.object({
      category: z.enum(categoryNames),
      severity: z.enum(severities).default('Normal'),
      subject: displayName(3, 200),
      message: z.string().trim().min(1).max(20_000),
      organization_slug: Slug.optional(),
      project_ref: ProjectRef.optional(),
      library: displayName(1, 60).optional(),
      /** Allow support to access the project. */
      allow_access: z.boolean().default(false),
      /** Of the error report that the error screen has sent. */
      error_report_id: displayName(1, 100).optional(),
      path: displayName(1, 500).optional(),
      attachment_ids: z.array(z.uuid()).max(attachmentLimits.files).default([]),
    }),
    returns: z.object({ id: z.number() }),
  }),
}
