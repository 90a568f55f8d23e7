import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef as ref, wholeNumber } from '../values.ts'

/** The function that the trigger of a webhook calls, with its address, method, headers, parameters and patience as texts. */
export const webhookFunction = { schema: 'supabase_functions', name: 'http_request' } as const

export const webhookMethods = ['GET', 'POST'] as const
/** Milliseconds that an answer is waited for. */
export const webhookTimeout = { least: 1000, max: 10_000, usual: 5000 } as const
/** Hours that the secret before still signs beside a new one. */
export const rotationHours = 24

const ByRef = z.object({ ref })
const sees = inProject('tenant:Sql:Read:Select', '*')
const changes = inProject('tenant:Sql:Admin:Write', 'tables')

/** A hook: the trigger of this name of this table (its oid). */
export const ByHook = ByRef.extend({
  table_id: wholeNumber(1, 4_294_967_295),
  name: z.string().min(1).max(63),
})

/** Calls to addresses when rows change. A webhook itself is a trigger of `webhookFunction`; its calls are in `webhook-calls.ts`. */
export const webhooks = {
  state: endpoint('webhooks.state', 'GET /platform/database/:ref/hooks', {
    needs: sees,
    input: ByRef,
    returns: z.object({ enabled: z.boolean() }),
  }),
  /**
   * Creates the extension `pg_net` and the schema `supabase_functions`, and has what they ask for sent from now on. Said again, it
   * brings both up to date and takes nothing away.
   */
  enable: endpoint('webhooks.enable', 'POST /platform/database/:ref/hook-enable', {
    needs: changes,
    status: 201,
    input: ByRef,
    returns: z.object({ enabled: z.boolean() }),
  }),
  /** A new signing secret, shown this once; the one before signs beside it for `rotationHours`. */
  newSecret: endpoint('webhooks.new-secret', 'POST /platform/database/:ref/hook-secrets', {
    needs: changes,
    status: 201,
    perMinute: 30,
    input: ByHook,
    returns: z.object({
      /** `whsec_` and base64. */
      secret: z.string(),
      rotated: z.boolean(),
    }),
  }),
  /** Its calls are not signed any more. */
  removeSecret: endpoint('webhooks.remove-secret', 'DELETE /platform/database/:ref/hook-secrets', {
    needs: changes,
    input: ByHook,
    returns: z.object({ removed: z.boolean() }),
  }),
}
