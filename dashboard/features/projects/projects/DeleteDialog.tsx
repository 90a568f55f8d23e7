import type { Project } from '#contract/projects/projects'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { useProjectAction } from './use-project-action.ts'

type Props = { project: Project; open: boolean; onClose: () => void; onDeleted: () => void }

export function DeleteDialog({ project, open, onClose, onDeleted }: Props) {
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
