import type { ReactNode } from 'react'
import type { Project } from '#contract/projects/projects'
import { backups, type Backups } from '#contract/projects/backups'
import { projectMoves, type ProjectStatus } from '#contract/projects/project-status'
import { isUp } from '../../../session/project/project-status.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { queryClient, useCall } from '../../../api/client.ts'
import { setProjectStatus } from '../../../session/project/set-project-status.ts'
import { ofBackups } from './queries.ts'

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

/** Restores a project to one of its backups or to a moment; what is shown of it follows at once. */
export function useRestore(ref: string, onRestoring: () => void) {
  const restoring = {
    // Before anything is read again: from now on the project has no database to ask.
    onAnswer: () => {
      setProjectStatus(ref, 'RESTORING')
      onRestoring()
      // What was read of the database is not what it will be.
      queryClient.removeQueries({
        type: 'inactive',
        predicate: ({ queryKey }) => isAbout(queryKey[1], ref),
      })
    },
    changes: ofBackups,
  }
  return {
    toBackup: useCall(backups.restore, restoring),
    toMoment: useCall(backups.pitr, restoring),
  }
}

const isAbout = (input: unknown, ref: string): boolean =>
  typeof input === 'object' && input !== null && 'ref' in input && input.ref === ref

/** What an operator hides restores to a new project by. */
export const cloneFeature = 'database:restore_to_new_project'

/** Why a plan without backups cannot use those that are still there. */
export const notInPlan = ({ retention_days: days }: Backups): string | undefined =>
  days === 0 ? 'Backups are part of the Pro plan' : undefined

/** Why a project cannot be restored as things are. */
export const notRestorable = (status: ProjectStatus): string | undefined =>
  projectMoves[status].includes('RESTORING')
    ? undefined
    : 'The project is changing: wait until it is done'
