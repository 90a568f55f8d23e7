import { z } from 'zod'
import { v1 as api } from '#contract/v1/v1'
import { V1SsoProvider } from '#contract/v1/v1-sso'
import type { DataPlane } from '../data-plane/client.ts'
import { createAskAuthService } from '../data-plane/ask-auth-service.ts'
import { implement } from '#kit/http'

/** The identity providers of a project's own users, kept by its auth service. */
export function v1SsoRoutes(dataPlane: DataPlane) {
  const askService = createAskAuthService(dataPlane, 'sso_not_found')
  const ask = (ref: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', id: string, body?: object) =>
    askService({
      ref,
      method,
      path: `admin/sso/providers${id === '' ? '' : `/${id}`}`,
      ...(body && { body }),
    })

  return [
    implement(api.ssoProviders, async ({ ref }) =>
      z.object({ items: z.array(V1SsoProvider) }).parse(await ask(ref, 'GET', '')),
    ),
    implement(api.createSsoProvider, async ({ ref, ...body }) =>
      V1SsoProvider.parse(await ask(ref, 'POST', '', body)),
    ),
    implement(api.ssoProvider, async ({ ref, provider_id }) =>
      V1SsoProvider.parse(await ask(ref, 'GET', provider_id)),
    ),
    implement(api.updateSsoProvider, async ({ ref, provider_id, ...body }) =>
      V1SsoProvider.parse(await ask(ref, 'PUT', provider_id, body)),
    ),
    implement(api.removeSsoProvider, async ({ ref, provider_id }) =>
      V1SsoProvider.parse(await ask(ref, 'DELETE', provider_id)),
    ),
  ]
}
