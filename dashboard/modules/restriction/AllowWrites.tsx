import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { writableMinutes, disk } from '#contract/projects/disk'
import type { Project } from '#contract/projects/projects'
import { useCall } from '../../api/client.ts'
import { isBeyondQuota, organizationsQuery } from '../../session/organization/organizations.ts'
import { useDenials } from '../../session/organization/permissions.ts'
import { diskQuery, timeOf } from '../../session/project/disk.ts'
import { projectQuery } from '../../session/project/project.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { toast } from '../../ui/floats/toast.ts'

const words = `Allow writes for ${writableMinutes} minutes`

type Props = { project: Pick<Project, 'ref' | 'organization_slug'>; inText?: boolean }

/** What lets SQL delete rows for a while. `inText`: as a link in a line of text, where only those see it who may. */
export function AllowWrites({ project, inText = false }: Props) {
  const { why, isPending, allow } = useAllowWrites(project)
  if (!inText)
    return (
      <Button busy={isPending} disabledReason={why} onClick={allow}>
        {words}
      </Button>
    )
  if (why !== undefined) return null
  return (
    <button type="button" className="link" disabled={isPending} onClick={allow}>
      {words} to delete rows
    </button>
  )
}

/** Below a statement that was refused because the organization is beyond its quota: what to do about it. */
export function QuotaWayOut({ projectRef }: { projectRef: string }) {
  const hold = useQuotaHold(projectRef)
  if (!hold || hold.until !== null) return null
  return (
    <div className="form-stack">
      <p className="muted">
        The organization has exceeded the quota of its plan, so SQL can only read. To delete rows
        with SQL, allow writes. After {writableMinutes} minutes the database is read-only again.
      </p>
      <span>
        <AllowWrites project={hold.project} />
      </span>
    </div>
  )
}

type Subject = Pick<Project, 'ref' | 'organization_slug'>

/** Lets SQL change a database for a while that is read-only because it is full, or because its organization is beyond its quota. */
export function useAllowWrites({ ref, organization_slug: slug }: Subject) {
  const why = useDenials({ organizationSlug: slug, projectRef: ref })(disk.allowWrites)
  const call = useCall(disk.allowWrites, {
    changes: [disk.usage],
    onSuccess: ({ writable_until: until }) => {
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
