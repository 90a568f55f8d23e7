import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { api } from '#contract/api'
import type { Organization } from '#contract/organizations'
import { CallError, fresh, q, queryClient } from '../api/client.ts'
import { toast } from '../ui/toast.ts'

export const organizationsQuery = queryOptions({
  ...q(api.organizations.list, {}, fresh.organizations),
  select: (organizations) => organizations.toSorted((a, b) => a.name.localeCompare(b.name)),
})

type Loading = { preload: boolean }

/** The organization of a page, or the list with a word about what is missing (requirements §8). */
export async function loadOrganization(slug: string, { preload }: Loading): Promise<Organization> {
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

/** No such thing, or none that the caller may see; a name that can not be one is refused as 400. */
export const isUnknown = (error: unknown) =>
  error instanceof CallError && (error.code === 404 || error.code === 400 || error.code === 403)
