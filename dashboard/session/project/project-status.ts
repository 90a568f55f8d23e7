import type { ProjectStatus } from '#contract/projects/project-status'
import type { Project } from '#contract/projects/projects'
import type { StatusTone } from '../../ui/text/Status.tsx'

type View = { label: string; tone: StatusTone }

const views: Record<ProjectStatus, View> = {
  ACTIVE_HEALTHY: { label: 'Healthy', tone: 'success' },
  ACTIVE_UNHEALTHY: { label: 'Unhealthy', tone: 'warning' },
  COMING_UP: { label: 'Coming up', tone: 'working' },
  RESTARTING: { label: 'Restarting', tone: 'working' },
  RESTORING: { label: 'Restoring', tone: 'working' },
  UPGRADING: { label: 'Upgrading', tone: 'working' },
  RESIZING: { label: 'Resizing', tone: 'working' },
  PAUSING: { label: 'Pausing', tone: 'working' },
  GOING_DOWN: { label: 'Being deleted', tone: 'working' },
  INACTIVE: { label: 'Paused', tone: 'paused' },
  UNKNOWN: { label: 'Unknown', tone: 'off' },
  REMOVED: { label: 'Deleted', tone: 'off' },
  INIT_FAILED: { label: 'Failed to start', tone: 'danger' },
  PAUSE_FAILED: { label: 'Failed to pause', tone: 'danger' },
  RESTORE_FAILED: { label: 'Failed to restore', tone: 'danger' },
}

/** The word and sign of a project's status. */
export const statusView = (status: ProjectStatus): View => views[status]

/** On its way to another status by itself. */
export const isMoving = (status: ProjectStatus): boolean => views[status].tone === 'working'

/** Its database can be used now. */
export const isUp = (status: ProjectStatus): boolean =>
  status === 'ACTIVE_HEALTHY' || status === 'ACTIVE_UNHEALTHY'

/** Milliseconds between two looks at a project's details, false for none (requirements §4: exactly these cases). */
export const detailInterval = (project: Pick<Project, 'status' | 'connectionString'> | undefined) =>
  project &&
  (project.status === 'COMING_UP' || project.status === 'UNKNOWN' || !project.connectionString)
    ? 5_000
    : false
