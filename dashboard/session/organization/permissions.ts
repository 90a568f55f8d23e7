import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { organizations } from '#contract/organizations/organizations'
import { profile } from '#contract/people/profile'
import { allows, type Need, type Permission, type Target } from '#contract/permissions'
import { selfHostedPermissions } from '#contract/operations/platform-only'
import { call, CallError, forget, fresh, q, queryClient } from '../../api/client.ts'
import { statusQuery } from './mode.ts'

/** Asked for on the platform only; cached for 5 minutes (requirements §6). */
export const permissionsQuery = queryOptions({
  ...q(profile.permissions, {}, fresh.permissions),
  queryFn: async ({ signal }) =>
    (await queryClient.ensureQueryData(statusQuery)).mode === 'self-hosted'
      ? selfHostedPermissions()
      : call(profile.permissions, {}, { signal }),
})

/**
 * Why the caller may not do what an endpoint needs, in words for a disabled button; undefined when it is allowed. It is the
 * rule the server applies to the same rows.
 */
export function denial(
  rows: readonly Permission[],
  need: Need,
  target: Target,
  /** What the conditions of rows ask about, as `{ resource: { role_id: 1 } }`. */
  data: Record<string, unknown> = {},
): string | undefined {
  if (typeof need === 'string') return undefined
  const { organizationSlug } = target
  const of = need.in === 'project' ? target : { organizationSlug }
  return allows(rows, need.action, need.resource, of, data)
    ? undefined
    : 'Your role in this organization does not allow this'
}

/** `why(projects.pause)` says why it may not be called here, undefined when it may. */
export function useDenials(
  target: Target,
): (endpoint: { needs: Need }, data?: Record<string, unknown>) => string | undefined {
  const { data: rows } = useSuspenseQuery(permissionsQuery)
  return (endpoint, data) => denial(rows, endpoint.needs, target, data)
}

/**
 * Follows what the server refuses. A role that was changed meanwhile: what was read of it is read again, so that the page
 * offers what is allowed now. A second factor that an organization has begun to ask for: `onLocked` leads to its page.
 */
export function followRefusals(onLocked: (slug: string) => void): void {
  const look = async (error: unknown) => {
    if (!(error instanceof CallError)) return
    if (error.reason === 'not_allowed') await forget(profile.permissions, organizations.list)
    if (!error.organization) return
    await forget(organizations.list)
    onLocked(error.organization)
  }
  queryClient.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') void look(event.action.error)
  })
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') void look(event.action.error)
  })
}
