import { z } from 'zod'
import { v1 as api } from '#contract/v1'
import { ApiError } from '#kit/errors'
import { implement } from '#kit/http'
import type { Log } from '#kit/log'

const longestWaitMs = 20_000
const Provider = z.looseObject({
  id: z.string(),
  domains: z.array(z.unknown()),
  created_at: z.string(),
  updated_at: z.string(),
})
const Refusal = z.object({ msg: z.string().optional(), message: z.string().optional() })

export type SsoParts = {
  dataPlaneUrl: string
  internalToken: string
  log: Log
}

/** The identity providers of a project's own users, kept by its auth service. */
export function v1SsoRoutes({ dataPlaneUrl, internalToken, log }: SsoParts) {
  async function ask(ref: string, method: string, id: string, body?: object): Promise<unknown> {
    const path = `internal/auth-service/${ref}/admin/sso/providers${id === '' ? '' : `/${id}`}`
    const response = await fetch(`${dataPlaneUrl}/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${internalToken}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      signal: AbortSignal.timeout(longestWaitMs),
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch((error: unknown) => {
      log.warn({ err: error, project: ref }, 'the data plane does not answer')
      throw new ApiError('service_unavailable')
    })
    const answer: unknown = await response.json()
    if (response.ok) return answer
    if (response.status === 402) throw new ApiError('organization_restricted')
    if (response.status === 404) throw new ApiError('sso_not_found', 'There is no such provider')
    if (response.status >= 500) throw new ApiError('project_unreachable')
    const { msg, message } = Refusal.parse(answer)
    throw new ApiError('invalid_input', msg ?? message)
  }

  return [
    implement(api.ssoProviders, async ({ ref }) =>
      z.object({ items: z.array(Provider) }).parse(await ask(ref, 'GET', '')),
    ),
    implement(api.createSsoProvider, async ({ ref, ...body }) =>
      Provider.parse(await ask(ref, 'POST', '', body)),
    ),
    implement(api.ssoProvider, async ({ ref, provider_id }) =>
      Provider.parse(await ask(ref, 'GET', provider_id)),
    ),
    implement(api.updateSsoProvider, async ({ ref, provider_id, ...body }) =>
      Provider.parse(await ask(ref, 'PUT', provider_id, body)),
    ),
    implement(api.removeSsoProvider, async ({ ref, provider_id }) =>
      Provider.parse(await ask(ref, 'DELETE', provider_id)),
    ),
  ]
}
