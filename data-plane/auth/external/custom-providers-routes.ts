import { z } from 'zod'
import type { Auth } from '../auth.ts'
import { ProviderBody, ProviderChanges } from './custom-providers.ts'
import type { Call, Route } from '../http.ts'
import { parse } from '../requests.ts'

const Type = z.enum(['oauth2', 'oidc']).optional()

/** The places to sign in that a tenant added by itself, for its service key. */
export function customProviderRoutes({ access, customProviders }: Auth): Route[] {
  const identifier = ({ params }: Call) => params['identifier'] ?? ''
  const routes: Route[] = [
    {
      method: 'GET',
      url: '/admin/custom-providers',
      handler: async ({ tenant, query }) => ({
        providers: await customProviders.list(tenant, parse(Type, query['type'])),
      }),
    },
    {
      method: 'POST',
      url: '/admin/custom-providers',
      handler: async (call) => {
        const made = await customProviders.add(call, parse(ProviderBody, call.body))
        return call.reply.status(201).send(made)
      },
    },
    {
      method: 'GET',
      url: '/admin/custom-providers/:identifier',
      handler: async (call) => customProviders.get(call.tenant, identifier(call)),
    },
    {
      method: 'PUT',
      url: '/admin/custom-providers/:identifier',
      handler: async (call) =>
        customProviders.change(call, identifier(call), parse(ProviderChanges, call.body)),
    },
    {
      method: 'DELETE',
      url: '/admin/custom-providers/:identifier',
      handler: async (call) => {
        await customProviders.remove(call, identifier(call))
        return call.reply.status(204).send()
      },
    },
  ]
  return routes.map(({ handler, ...route }) => ({
    ...route,
    handler: async (call) => {
      await access.admin(call.tenant, call.credentials)
      return handler(call)
    },
  }))
}
