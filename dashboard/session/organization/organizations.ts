import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { organizations as endpoints } from '#contract/organizations/organizations'
import type { Organization } from '#contract/organizations/organizations'
import { CallError, fresh, q, queryClient } from '../../api/client.ts'
import { toast } from '../../ui/floats/toast.ts'
import { hasShownFactor } from '../identity/auth.ts'

export const organizationsQuery = queryOptions({
  ...q(endpoints.list, {}, fresh.organizations),
  select: (organizations) => organizations.toSorted((a, b) => a.name.localeCompare(b.name)),
})

/** Its projects can be read and deleted from only, until it uses less or has a larger plan. */
export const isBeyondQuota = (
  organization: Pick<Organization, 'restriction_status' | 'restriction_cause'>,
): boolean =>
  organization.restriction_status === 'restricted' && organization.restriction_cause === 'quota'

type Loading = {
  preload: boolean
  /** The page is of use without the second factor that the organization may ask for: it says so. */
  withoutFactor?: boolean
}

/** The organization asks for a second factor that this session has not shown (requirements §6). */
export const isLocked = async (organization: Organization): Promise<boolean> =>
  organization.organization_requires_mfa && !(await hasShownFactor())

/**
 * The organization of a page, or the list with a word about what is missing (requirements §8). Who has not shown the
 * second factor that it asks for is led to its own page (requirements §6).
 */
export async function loadOrganization(slug: string, loading: Loading): Promise<Organization> {
  const found = await findOrganization(slug, loading)
  if (!loading.withoutFactor && (await isLocked(found)))
    throw redirect({ to: '/org/$slug', params: { slug } })
  return found
}

/** The same for an organization that is known already; the others are looked at when they are loaded. */
export async function leaveLocked(slug: string): Promise<void> {
  const known = queryClient.getQueryData(organizationsQuery.queryKey)
  const found = known?.find((organization) => organization.slug === slug)
  if (found && (await isLocked(found))) throw redirect({ to: '/org/$slug', params: { slug } })
}

async function findOrganization(slug: string, { preload }: Loading): Promise<Organization> {
  const known = await queryClient.ensureQueryData(organizationsQuery)
  const found =
    known.find((organization) => organization.slug === slug) ??
    // Joined or created somewhere else since the list was read.
    (await queryClient.fetchQuery({ ...organizationsQuery, staleTime: 0 })).find(
      (organization) => organization.slug === slug,
    )
  if (found) return found
  if (!preload) toast.error("We couldn't find that organization", { id: 'org_not_found' })
  throw redirect({ to: '/organizations', search: { error: 'org_not_found', org: slug } })
}

/** The organization of a page whose loader has loaded it. */
export function useOrganization(slug: string): Organization {
  const { data } = useSuspenseQuery(organizationsQuery)
  const found = data.find((organization) => organization.slug === slug)
  if (!found) throw new Error(`The organization ${slug} is gone`)
  return found
}

/** No such thing, or none that the caller may see; a name that cannot be one is refused as 400. */
export const isUnknown = (error: unknown) =>
  error instanceof CallError && (error.code === 404 || error.code === 400 || error.code === 403)
