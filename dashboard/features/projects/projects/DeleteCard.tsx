import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { projectMoves } from '#contract/projects/project-status'
import type { Project } from '#contract/projects/projects'
import { useDenials } from '../../../session/organization/permissions.ts'
import { statusView } from '../../../session/project/project-status.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { endpointOf, useProjectAction } from './use-project-action.ts'

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

type DeleteDialogProps = {
  project: Project
  open: boolean
  onClose: () => void
  onDeleted: () => void
}

function DeleteDialog({ project, open, onClose, onDeleted }: DeleteDialogProps) {
  const remove = useProjectAction('remove', () => {
    toast.success(`${project.name} is being deleted`)
    onDeleted()
  })
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete ${project.name}`}
      verb="Delete project"
      typeName={project.name}
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref: project.ref })}
    >
      <p>This deletes the project and everything in it. It cannot be undone.</p>
      <ul className="lost">
        <li>The database, with all its tables and rows</li>
        <li>Its users and their sessions</li>
        <li>Its API and its keys: apps that use them stop working</li>
      </ul>
    </ConfirmDialog>
  )
}
