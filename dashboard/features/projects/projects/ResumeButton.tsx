import type { ProjectListItem } from '#contract/projects/projects'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { endpointOf, useProjectAction } from './use-project-action.ts'

/** Brings a paused project back, from a list. */
export function ResumeButton({ project }: { project: ProjectListItem }) {
  const { ref, organization_slug: organizationSlug } = project
  const why = useDenials({ organizationSlug, projectRef: ref })
  const restore = useProjectAction('restore')
  return (
    <Button
      busy={restore.isPending}
      disabledReason={why(endpointOf('restore'))}
      onClick={() =>
        restore.mutate(
          { ref },
          {
            onError: (error) =>
              toast.error(`${project.name} was not resumed`, { description: error.message }),
          },
        )
      }
    >
      Resume
    </Button>
  )
}
