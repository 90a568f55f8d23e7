import { z } from 'zod'
import {
  AuthOauthClient,
  authOauthClients as api,
  oauthClientsPage,
} from '#contract/auth/auth-oauth-clients'
import type { Parsed } from '#contract/endpoint'
import type { AskAuthService } from '../../data-plane/ask-auth-service.ts'
import { ApiError } from '#kit/errors'
import { implement, type Caller, type Origin } from '#kit/http'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { AuthOauthClientsStore } from './store.ts'

type Deps = { store: AuthOauthClientsStore; ask: AskAuthService; record: RecordChange }
type By = { caller: Caller; origin: Origin }

const base = 'admin/oauth/clients'
const Kept = z.object({ ...AuthOauthClient.shape, client_secret: z.string().optional() })
const Page = z.object({ clients: z.array(AuthOauthClient) })

/** The clients of a project's OAuth server. They are rows of the project; who changes them stands in our audit log. */
export function authOauthClientRoutes({ store, ask, record }: Deps) {
  /** Nothing is written down of what the service has refused; its secrets never. */
  async function changed(
    { caller, origin }: By,
    { ref, action, before }: { ref: string; action: string; before?: AuthOauthClient },
    change: () => Promise<z.infer<typeof Kept>>,
  ) {
    const organizationId = await store.organizationOf(ref)
    if (!organizationId) throw new ApiError('project_not_found')
    return store.transaction(async (tx) => {
      const { client_secret: secret = null, ...client } = await change()
      const isGone = action.endsWith('.remove')
      await record(tx, {
        organizationId,
        actor: caller,
        action,
        target: `project:${ref}`,
        change: {
          client: client.client_id,
          ...(before && { before: audited(before) }),
          ...(!isGone && { after: audited(client) }),
        },
        origin,
      })
      return { ...client, client_secret: secret }
    })
  }
  const get = async ({ ref, client_id: id }: { ref: string; client_id: string }) =>
    AuthOauthClient.parse(await ask({ ref, method: 'GET', path: `${base}/${id}` }))

  async function update(input: Parsed<typeof api.update>, by: By) {
    const { ref, client_id: id, ...body } = input
    const before = await get(input)
    return changed(by, { ref, action: api.update.name, before }, async () =>
      Kept.parse(await ask({ ref, method: 'PUT', path: `${base}/${id}`, body })),
    )
  }

  return [
    implement(api.list, async ({ ref, page }) => {
      const path = `${base}?page=${page}&per_page=${oauthClientsPage}`
      const { clients } = Page.parse(await ask({ ref, method: 'GET', path }))
      return { clients, next: clients.length < oauthClientsPage ? null : page + 1 }
    }),
    implement(api.create, ({ ref, client_type: type, ...rest }, caller, origin) =>
      changed({ caller, origin }, { ref, action: api.create.name }, async () => {
        const how = type === 'public' ? 'none' : 'client_secret_basic'
        const body = { ...rest, token_endpoint_auth_method: how }
        return Kept.parse(await ask({ ref, method: 'POST', path: base, body }))
      }),
    ),
    implement(api.update, (input, caller, origin) => update(input, { caller, origin })),
    implement(api.rotateSecret, ({ ref, client_id: id }, caller, origin) =>
      changed({ caller, origin }, { ref, action: api.rotateSecret.name }, async () => {
        const path = `${base}/${id}/regenerate_secret`
        return Kept.parse(await ask({ ref, method: 'POST', path }))
      }),
    ),
    implement(api.remove, async (input, caller, origin) => {
      const { ref, client_id: id } = input
      const before = await get(input)
      return changed({ caller, origin }, { ref, action: api.remove.name, before }, async () => {
        await ask({ ref, method: 'DELETE', path: `${base}/${id}` })
        return before
      })
    }),
  ]
}

const audited = ({ client_name, redirect_uris, client_type }: AuthOauthClient) => ({
  client_name,
  client_type,
  redirect_uris,
})
