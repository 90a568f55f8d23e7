import { z } from 'zod'
import { authAuditHours, authRecords } from '#contract/auth/auth-records'
import { authUsers } from '#contract/auth/auth-users'
import type { Endpoint } from '#contract/endpoint'
import { planOfTier } from '#contract/billing/plans'
import { ApiError } from '#kit/errors'
import { forwardCall } from '#kit/http/forward'
import { implementRaw, originOf, type Caller, type Origin, type Route } from '#kit/http'
import type { DataPlane } from '../../data-plane/client.ts'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { AuthUsersStore } from './store.ts'

type Deps = {
  store: AuthUsersStore
  record: RecordChange
  dataPlane: DataPlane
  now: () => Date
}

const hour = 3_600_000
/** Who was made or changed, where the answer says so. */
const Made = z.object({ id: z.string().optional() })
/** What of a change the audit log of the organization shows. */
const noted = ['id', 'ids', 'factor', 'session', 'ban_duration']

/**
 * The users of a project's auth service, for the dashboard. Permission is checked here; the work is done in the data
 * plane, as the service itself. How far the audit entries go back is for the plan of the organization to say.
 */
export function authUsersRoutes({ store, record, dataPlane, now }: Deps): Route[] {
  /**
   * A change of a user is one of another database: its entry follows as soon as it is made. Users are told by id alone:
   * entries are never deleted, and addresses of people have to be.
   */
  async function note(
    { name }: Endpoint,
    input: Record<string, unknown>,
    caller: Caller,
    origin: Origin,
  ) {
    const ref = String(input['ref'])
    const after = Object.fromEntries(
      noted.flatMap((key) => (key in input ? [[key, input[key]]] : [])),
    )
    await store.transaction(async (tx) => {
      const organizationId = await store.organizationOf(tx, ref)
      if (organizationId === undefined) return
      await record(tx, {
        organizationId,
        actor: caller,
        action: name,
        target: `project:${ref}`,
        change: { after },
        origin,
      })
    })
  }

  const forwarded = (endpoint: Endpoint, more: (ref: string) => Promise<Record<string, string>>) =>
    implementRaw(endpoint, async (input, caller, { request, reply }) => {
      const path = request.url.replace(/^\/platform\/auth\//, '/internal/auth/')
      const { url, headers } = dataPlane.onward(path, {
        'x-plinth-ip': request.ip,
        ...(await more(String(input['ref']))),
      })
      const changed =
        caller && endpoint.method !== 'GET'
          ? async (answer: Response) =>
              note(
                endpoint,
                { ...input, ...Made.parse(await answer.json()) },
                caller,
                originOf(request),
              )
          : undefined
      return forwardCall(url, headers, request, reply, changed)
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
