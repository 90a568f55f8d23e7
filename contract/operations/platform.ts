import { z } from 'zod'
import { environments } from '../projects/cloud-providers.ts'
import { CustomContent } from './custom-content.ts'
import { endpoint } from '../endpoint.ts'
import { modes } from './platform-only.ts'
import { planIds } from '../billing/plans.ts'

/** What the dashboard has to know before anyone signs in. */
export const platform = {
  utcTime: endpoint('platform.utcTime', 'GET /api/get-utc-time', {
    needs: 'anyone',
    input: z.object({}),
    returns: z.object({ utcTime: z.string() }),
  }),
  status: endpoint('platform.status', 'GET /platform/status', {
    needs: 'anyone',
    input: z.object({}),
    returns: z.object({
      version: z.string(),
      /** The local mailbox at /mailbox exists: no SMTP_URL is set and the server listens on loopback only. */
      mailbox: z.boolean(),
      plans: z.array(z.enum(planIds)),
      /** Hosted for many, or the dashboard of one database. */
      mode: z.enum(modes),
      /** Where people talk about the product; null unless the operator has such a place. */
      discussions_url: z.string().nullable(),
      /** What the operator hides on the pages before the sign-in: `dashboard_auth:…` (contract/features.ts). */
      disabled_features: z.array(z.string()),
      environment: z.enum(environments),
      /** How long deleted projects can be restored; 0: not at all. */
      trash_days: z.number(),
      /** The operator's own words and links. */
      content: CustomContent,
    }),
  }),
  openapi: endpoint('platform.openapi', 'GET /platform/openapi.json', {
    needs: 'anyone',
    input: z.object({}),
    returns: z.record(z.string(), z.unknown()),
  }),
}
