import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { projectMoves } from '#contract/projects/project-status'
import type { Project } from '#contract/projects/projects'
import { useDenials } from '../../../session/organization/permissions.ts'
import { statusView } from '../../../session/project/project-status.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import { endpointOf } from './use-project-action.ts'

type Props = { project: Project; onDeleted: () => void }

export function DeleteCard({ project, onDeleted }: Props) {
  const { ref, status, organization_slug: organizationSlug } = project
  const why = useDenials({ organizationSlug, projectRef: ref })
  const [asking, setAsking] = useState(false)
  const possible = projectMoves[status].includes('GOING_DOWN')
  const reason =
    why(endpointOf('remove')) ??
    (possible ? undefined : `The project is ${statusView(status).label.toLowerCase()}`)
  return (
    <Card title="Delete project" padded={false}>
      <div className="set-row">
        <div className="grow">
          <p>The database and everything in it are removed. This cannot be undone.</p>
        </div>
        <Button
          variant="danger-quiet"
          icon={Trash2}
          disabledReason={reason}
          onClick={() => setAsking(true)}
        >
          Delete project
        </Button>
      </div>
      <DeleteDialog
        project={project}
        open={asking}
        onClose={() => setAsking(false)}
        onDeleted={onDeleted}
      />
    </Card>
  )
}
