import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** One mail that the platform or one of its projects would have sent, kept locally because no SMTP_URL is set. */
export const Mail = z.object({
  id: z.number(),
  /** `platform` or the ref of the project whose auth service wrote it. */
  tenant: z.string(),
  recipient: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  sent_at: z.string(),
})
export type Mail = z.infer<typeof Mail>

export const mailbox = {
  /** Newest first. Answers 404 unless the local mailbox exists. */
  list: endpoint('mailbox.list', 'GET /platform/mailbox', {
    needs: 'anyone',
    input: z.object({
      recipient: z.string().max(254).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    returns: z.array(Mail),
  }),
}
