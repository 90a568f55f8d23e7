import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef as ref, wholeNumber } from '../values.ts'

/** The function that the trigger of a webhook calls, with its address, method, headers, parameters and patience as texts. */
export const webhookFunction = { schema: 'supabase_functions', name: 'http_request' } as const

export const webhookMethods = ['GET', 'POST'] as const
/** Milliseconds that an answer is waited for. */
export const webhookTimeout = { least: 1000, max: 10_000, usual: 5000 } as const

/** One call that a webhook made. */
export const WebhookCall = z.object({
  id: z.number(),
  hook_table_id: z.number(),
  hook_name: z.string(),
  created_at: Instant,
  /** Null while nobody has answered; the answers of the last hours are kept. */
  status_code: z.number().nullable(),
  /** What the answer said, its beginning. */
  content: z.string().nullable(),
  timed_out: z.boolean().nullable(),
  /** Why there is no answer. */
  error_msg: z.string().nullable(),
  /** It is still to be sent, or to be answered. */
  pending: z.boolean(),
})
export type WebhookCall = z.infer<typeof WebhookCall>

const ByRef = z.object({ ref })
const sees = inProject('tenant:Sql:Read:Select', '*')

/** Calls to addresses when rows change. A webhook itself is a trigger of `webhookFunction`. */
export const webhooks = {
  state: endpoint('webhooks.state', 'GET /platform/database/:ref/hooks', {
    needs: sees,
    input: ByRef,
    returns: z.object({ enabled: z.boolean() }),
  }),
  /** Makes the schemas `net` and `supabase_functions`, and has what stands in their queue sent from now on. */
  enable: endpoint('webhooks.enable', 'POST /platform/database/:ref/hook-enable', {
    needs: inProject('tenant:Sql:Admin:Write', 'tables'),
    status: 201,
    input: ByRef,
    returns: z.object({ enabled: z.boolean() }),
  }),
  /** Newest first. */
  calls: endpoint('webhooks.calls', 'GET /platform/database/:ref/hook-logs', {
    needs: sees,
    input: ByRef.extend({
      hook_table_id: wholeNumber(1, 4_294_967_295).optional(),
      hook_name: z.string().max(63).optional(),
      /** Those before this one. */
      before: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
      limit: wholeNumber(1, 100).default(50),
    }),
    returns: z.object({ calls: z.array(WebhookCall) }),
  }),
}
