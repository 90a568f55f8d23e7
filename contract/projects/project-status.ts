/** Every status a project can have (requirements §4). */
export const projectStatuses = [
  'INACTIVE',
  'ACTIVE_HEALTHY',
  'ACTIVE_UNHEALTHY',
  'COMING_UP',
  'UNKNOWN',
  'GOING_DOWN',
  'INIT_FAILED',
  'REMOVED',
  'RESTARTING',
  'RESTORING',
  'RESTORE_FAILED',
  'UPGRADING',
  'PAUSING',
  'PAUSE_FAILED',
  'RESIZING',
] as const
export type ProjectStatus = (typeof projectStatuses)[number]

/**
 * The project state machine of the reliability rules: to which statuses each one may move. UNKNOWN is never stored: it
 * is what a reader sees while the provider cannot look.
 */
export const projectMoves: Record<ProjectStatus, readonly ProjectStatus[]> = {
  COMING_UP: ['ACTIVE_HEALTHY', 'INIT_FAILED'],
  INIT_FAILED: ['COMING_UP', 'GOING_DOWN'],
  ACTIVE_HEALTHY: [
    'ACTIVE_UNHEALTHY',
    'RESTARTING',
    'PAUSING',
    'RESTORING',
    'UPGRADING',
    'RESIZING',
    'GOING_DOWN',
  ],
  ACTIVE_UNHEALTHY: ['ACTIVE_HEALTHY', 'RESTARTING', 'PAUSING', 'RESTORING', 'GOING_DOWN'],
  RESTARTING: ['ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY'],
  RESIZING: ['ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY'],
  UPGRADING: ['ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY'],
  PAUSING: ['INACTIVE', 'PAUSE_FAILED'],
  PAUSE_FAILED: ['PAUSING', 'ACTIVE_HEALTHY', 'GOING_DOWN'],
  INACTIVE: ['RESTORING', 'GOING_DOWN'],
  RESTORING: ['ACTIVE_HEALTHY', 'RESTORE_FAILED'],
  RESTORE_FAILED: ['RESTORING', 'GOING_DOWN'],
  GOING_DOWN: ['REMOVED'],
  REMOVED: [],
  UNKNOWN: [],
}

/** Seconds a project may stay in a transitional status before the reconciler ends it (reliability rules). */
export const projectDeadlines: Partial<Record<ProjectStatus, number>> = {
  COMING_UP: 120,
  RESTARTING: 60,
  RESIZING: 120,
  UPGRADING: 900,
  PAUSING: 120,
  RESTORING: 900,
}

/** From where a status can be reached. */
export const movesInto = (to: ProjectStatus): ProjectStatus[] =>
  projectStatuses.filter((from) => projectMoves[from].includes(to))
