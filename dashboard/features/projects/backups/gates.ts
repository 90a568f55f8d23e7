import type { Backups } from '#contract/projects/backups'
import { projectMoves, type ProjectStatus } from '#contract/projects/project-status'

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
