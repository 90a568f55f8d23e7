import { useSuspenseQuery } from '@tanstack/react-query'
import { api } from '#contract/api'
import { allows, type Need, type Permission } from '#contract/permissions'
import { fresh, q } from '../api/client.ts'

export const permissionsQuery = q(api.profile.permissions, {}, fresh.permissions)

type Target = { organizationSlug: string; projectRef?: string | undefined }

/**
 * Why the caller may not do what an endpoint needs, in words for a disabled button; undefined when it is allowed. It is the
 * rule the server applies to the same rows.
 */
export function denial(
  rows: readonly Permission[],
  need: Need,
  target: Target,
): string | undefined {
  if (typeof need === 'string') return undefined
  const { organizationSlug } = target
  const of = need.in === 'project' ? target : { organizationSlug }
  return allows(rows, need.action, need.resource, of)
    ? undefined
    : 'Your role in this organization does not allow this'
}

/** `why(api.projects.pause)` says why it may not be called here, undefined when it may. */
export function useDenials(target: Target): (endpoint: { needs: Need }) => string | undefined {
  const { data: rows } = useSuspenseQuery(permissionsQuery)
  return (endpoint) => denial(rows, endpoint.needs, target)
}
