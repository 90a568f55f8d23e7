import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { disk } from '#contract/projects/disk'
import type { Project } from '#contract/projects/projects'
import { forget, useCall } from '../../api/client.ts'
import { isBeyondQuota, organizationsQuery } from '../../session/organization/organizations.ts'
import { useDenials } from '../../session/organization/permissions.ts'
import { diskQuery, timeOf } from '../../session/project/disk.ts'
import { projectQuery } from '../../session/project/project.ts'
import { toast } from '../../ui/floats/toast.ts'

type Subject = Pick<Project, 'ref' | 'organization_slug'>

/** Lets SQL change a database for a while that is read-only because it is full, or because its organization is beyond its quota. */
export function useAllowWrites({ ref, organization_slug: slug }: Subject) {
  const why = useDenials({ organizationSlug: slug, projectRef: ref })(disk.allowWrites)
  const call = useCall(disk.allowWrites, {
    onSuccess: async ({ writable_until: until }) => {
      await forget(disk.usage)
      if (until) toast.success(`The database can be written to until ${timeOf(until)}`)
    },
    onError: (error) => toast.error(error.message),
  })
  return { why, isPending: call.isPending, allow: () => call.mutate({ ref }) }
}

/**
 * The project, and until when SQL may change its data, while its organization has exceeded its quota; undefined while it
 * has not, or the project does not run.
 */
export function useQuotaHold(ref: string): { project: Project; until: string | null } | undefined {
  const { data: organizations } = useSuspenseQuery(organizationsQuery)
  const { data: project } = useQuery(projectQuery(ref))
  const isHeld =
    project?.status === 'ACTIVE_HEALTHY' &&
    organizations.some((one) => one.slug === project.organization_slug && isBeyondQuota(one))
  const { data: usage } = useQuery({ ...diskQuery(ref), enabled: isHeld })
  return isHeld && usage ? { project, until: usage.writable_until } : undefined
}
