import type { ReactNode } from 'react'
import type { Project } from '#contract/projects/projects'
import { isUp } from '../../../session/project/project-status.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'

type Props = {
  project: Project
  /** The moment that it is restored to, as people read it. */
  moment: ReactNode
  error: string | undefined
  pending: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before the database of a project is replaced by what it was. */
export function RestoreDialog({ project, moment, error, pending, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Restore ${project.name}`}
      verb="Restore database"
      typeName={project.name}
      error={error}
      pending={pending}
      onConfirm={onConfirm}
    >
      <p>
        The whole database becomes what it was at {moment}. Everything written since then is lost.
      </p>
      <ul className="lost">
        <li>
          {isUp(project.status)
            ? 'A backup of the current state is made first and appears in the list'
            : 'A backup of the current state is made first, if the database still starts'}
        </li>
        <li>All connections end, and the project is unavailable for some minutes</li>
        <li>
          Files, functions, keys and settings stay as they are now: a file that was deleted since
          stays deleted
        </li>
      </ul>
    </ConfirmDialog>
  )
}
