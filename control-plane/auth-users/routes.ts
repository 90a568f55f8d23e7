import { authAuditHours, authRecords } from '#contract/auth-records'
import { authUsers } from '#contract/auth-users'
import type { Endpoint } from '#contract/endpoint'
import { planOfTier } from '#contract/plans'
import { ApiError } from '#kit/errors'
import { forwardCall } from '#kit/forward'
import { implementRaw, type Route } from '#kit/http'
import type { AuthUsersStore } from './store.ts'

type Deps = {
  store: AuthUsersStore
  dataPlaneUrl: string
  internalToken: string
  now: () => Date
}

const hour = 3_600_000

/**
 * The users of a project's auth service, for the dashboard. Permission is checked here; the work is done in the data
 * plane, as the service itself. How far the audit entries go back is for the plan of the organization to say.
 */
export function authUsersRoutes({ store, dataPlaneUrl, internalToken, now }: Deps): Route[] {
  const forwarded = (endpoint: Endpoint, more: (ref: string) => Promise<Record<string, string>>) =>
    implementRaw(endpoint, async (input, _caller, { request, reply }) => {
      const headers = new Headers({
        authorization: `Bearer ${internalToken}`,
        'x-plinth-ip': request.ip,
        ...(await more(String(input['ref']))),
      })
      const path = request.url.replace(/^\/platform\/auth\//, '/internal/auth/')
      return forwardCall(dataPlaneUrl + path, headers, request, reply)
    })

  async function auditSince(ref: string): Promise<Record<string, string>> {
    const tier = await store.tierOf(ref)
    if (!tier) throw new ApiError('project_not_found')
    const since = now().getTime() - authAuditHours[planOfTier[tier]] * hour
    return { 'x-plinth-audit-since': new Date(since).toISOString() }
  }

  const nothing = () => Promise.resolve({})
  return [
    ...Object.values(authUsers).map((endpoint: Endpoint) => forwarded(endpoint, nothing)),
    forwarded(authRecords.audit, auditSince),
    forwarded(authRecords.overview, nothing),
  ]
}
