import { writableMinutes } from '#contract/projects/disk'
import type { Project } from '#contract/projects/projects'
import { Button } from '../../ui/controls/Button.tsx'
import { useAllowWrites, useQuotaHold } from './allow-writes.ts'

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
