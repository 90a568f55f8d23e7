import { useState } from 'react'
import type { Project } from '#contract/projects/projects'
import { projectMoves } from '#contract/projects/project-status'
import { useDenials } from '../../../session/organization/permissions.ts'
import { statusView } from '../../../session/project/project-status.ts'
import { useTrashDays } from '../../../session/project/trash.ts'
import { DangerCard } from '../../../ui/DangerCard.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { counted } from '../../../ui/text/number.ts'
import { endpointOf, useProjectAction } from './project-actions.tsx'

type DeleteCardProps = { project: Project; onDeleted: () => void }

/** Deletes a project, and says how long it can be restored. */
export function DeleteCard({ project, onDeleted }: DeleteCardProps) {
  const { ref, status, organization_slug: organizationSlug } = project
  const why = useDenials({ organizationSlug, projectRef: ref })
  const [asking, setAsking] = useState(false)
  const days = useKeptDays(project)
  const possible = projectMoves[status].includes('GOING_DOWN')
  const reason =
    why(endpointOf('remove')) ??
    (possible ? undefined : `The project is ${statusView(status).label.toLowerCase()}`)
  return (
    <DangerCard
      title="Delete project"
      about={
        days === 0
          ? 'The database and everything in it are removed. This cannot be undone.'
          : `Its server stops at once. You can restore it for ${counted(days, 'day')}; then it is removed for good.`
      }
      reason={reason}
      onAsk={() => setAsking(true)}
    >
      <DeleteDialog
        project={project}
        open={asking}
        onClose={() => setAsking(false)}
        onDeleted={onDeleted}
      />
    </DangerCard>
  )
}

/** Days for which it can be restored after its deletion. */
function useKeptDays({ status }: Project): number {
  const days = useTrashDays()
  // Nothing was made that could be restored.
  return status === 'INIT_FAILED' ? 0 : days
}

type DeleteDialogProps = {
  project: Project
  open: boolean
  onClose: () => void
  onDeleted: () => void
}

function DeleteDialog({ project, open, onClose, onDeleted }: DeleteDialogProps) {
  const days = useKeptDays(project)
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
      {days === 0 ? (
        <>
          <p>This deletes the project and everything in it. It cannot be undone.</p>
          <ul className="lost">
            <li>The database, with all its tables and rows</li>
            <li>Its users and their sessions</li>
            <li>Its API and its keys: apps that use them stop working</li>
          </ul>
        </>
      ) : (
        <>
          <p>
            {`You can restore the project for ${counted(days, 'day')}, from “Deleted projects” below the project list of its organization. Then it is removed for good.`}
          </p>
          <ul className="lost">
            <li>Apps that use its API or its database stop working at once</li>
            <li>Its data, users, files and keys are kept until then, and cost nothing</li>
            <li>Its read replicas are deleted at once</li>
          </ul>
        </>
      )}
    </ConfirmDialog>
  )
}
