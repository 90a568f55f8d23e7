import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { displayName, Instant, ProjectRef as ref, wholeNumber } from '../values.ts'

/** Clients of one page. */
export const oauthClientsPage = 50

/** An app that signs people in with their account in a project. */
export const AuthOauthClient = z.object({
  client_id: z.string(),
  client_name: z.string(),
  /** A public one has no secret. */
  client_type: z.enum(['public', 'confidential']),
  /** `dynamic`: it has registered itself. */
  registration_type: z.enum(['dynamic', 'manual']),
  redirect_uris: z.array(z.string()),
  created_at: Instant,
  updated_at: Instant,
})
export type AuthOauthClient = z.infer<typeof AuthOauthClient>

const WithSecret = AuthOauthClient.extend({
  /** In this answer and in no other; null for a public client. */
  client_secret: z.string().nullable(),
})

const path = '/platform/auth/:ref/oauth-clients' as const
const reads = inProject('read:Read', 'custom_config_gotrue')
const changes = inProject('write:Update', 'custom_config_gotrue')
const ById = z.object({ ref, client_id: z.guid() })
const name = displayName(1, 200)
const uris = z.array(z.string().trim().min(1).max(2048)).min(1).max(20)

/** The clients of a project's own OAuth server, while that is on. */
export const authOauthClients = {
  list: endpoint('authOauthClients.list', `GET ${path}`, {
    needs: reads,
    input: z.object({ ref, page: wholeNumber(1, 100_000).default(1) }),
    /** Newest first; `next` is the page to ask for next. */
    returns: z.object({ clients: z.array(AuthOauthClient), next: z.number().nullable() }),
  }),
  create: endpoint('authOauthClients.create', `POST ${path}`, {
    needs: changes,
    status: 201,
    perMinute: 60,
    input: z.object({
      ref,
      client_name: name,
      client_type: z.enum(['public', 'confidential']).default('confidential'),
      redirect_uris: uris,
    }),
    returns: WithSecret,
  }),
  update: endpoint('authOauthClients.update', `PATCH ${path}/:client_id`, {
    needs: changes,
    input: ById.extend({ client_name: name.optional(), redirect_uris: uris.optional() }),
    returns: AuthOauthClient,
  }),
  /** The secret before is good for nothing from then on. */
  rotateSecret: endpoint('authOauthClients.rotateSecret', `POST ${path}/:client_id/secret`, {
    needs: changes,
    perMinute: 60,
    input: ById,
    returns: WithSecret,
  }),
  /** With every session that the client has. */
  remove: endpoint('authOauthClients.remove', `DELETE ${path}/:client_id`, {
    needs: changes,
    input: ById,
    returns: AuthOauthClient,
  }),
}
