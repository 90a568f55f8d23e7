import { z } from 'zod'
import { authMailKinds } from './auth-mails.ts'

/** The ways by which a project's mails leave: its own mail server, the platform's, or the local mailbox. */
export const mailWays = ['own', 'platform', 'mailbox'] as const

/** What is sent to try it out: one of the project's mails with these texts, or a few plain words. */
export const TestMail = z.object({
  kind: z.enum(authMailKinds).optional(),
  subject: z.string().max(255).optional(),
  html: z.string().max(50_000).optional(),
})
export type TestMail = z.output<typeof TestMail>

/** By which way it went, and what the mail server said when it did not take it, in the server's own words. */
export const TestMailResult = z.object({
  way: z.enum(mailWays),
  refusal: z.string().nullable(),
})
export type TestMailResult = z.output<typeof TestMailResult>
