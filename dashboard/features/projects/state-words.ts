import type { ProjectStatus } from '#contract/project-status'
import type { ProjectAction } from './use-project-action.ts'

export type StateWords = {
  title: (name: string) => string
  text: string
  /** What can be done about it from here. */
  action?: { run: Extract<ProjectAction, 'restore' | 'pause'>; label: string }
}

/** What the page of a project says while its database cannot be used. */
export const stateWords: Record<
  Exclude<ProjectStatus, 'ACTIVE_HEALTHY' | 'ACTIVE_UNHEALTHY'>,
  StateWords
> = {
  COMING_UP: {
    title: (name) => `Setting up ${name}`,
    text: 'A Postgres server of its own is being made. This takes a few seconds.',
  },
  RESTARTING: {
    title: (name) => `Restarting ${name}`,
    text: 'Open connections are closed, and accepted again in a moment.',
  },
  RESTORING: {
    title: (name) => `Restoring ${name}`,
    text: 'The database is being brought back. Its data is kept until it answers.',
  },
  UPGRADING: {
    title: (name) => `Upgrading ${name}`,
    text: 'The database is moved to a newer Postgres. The old one is kept until the new one answers.',
  },
  RESIZING: {
    title: (name) => `Resizing ${name}`,
    text: 'The database starts again with its new size.',
  },
  PAUSING: {
    title: (name) => `Pausing ${name}`,
    text: 'Writes are brought to disk, then the database is stopped. Nothing is lost.',
  },
  GOING_DOWN: {
    title: (name) => `Deleting ${name}`,
    text: 'The database and everything in it are being removed.',
  },
  REMOVED: {
    title: (name) => `${name} is deleted`,
    text: 'There is nothing left here.',
  },
  INACTIVE: {
    title: (name) => `${name} is paused`,
    text: 'The database is stopped and its data kept. Nothing can connect until it is resumed.',
    action: { run: 'restore', label: 'Resume project' },
  },
  UNKNOWN: {
    title: (name) => `Connecting to ${name}`,
    text: 'The state of the database cannot be read right now. This page follows by itself.',
  },
  INIT_FAILED: {
    title: (name) => `${name} could not be set up`,
    text: 'What was begun is cleaned up. Try again, or delete the project in its settings.',
    action: { run: 'restore', label: 'Try again' },
  },
  PAUSE_FAILED: {
    title: (name) => `${name} could not be paused`,
    text: 'The database may still be running. Try again.',
    action: { run: 'pause', label: 'Try again' },
  },
  RESTORE_FAILED: {
    title: (name) => `${name} could not be restored`,
    text: 'The data is where it was. Try again.',
    action: { run: 'restore', label: 'Try again' },
  },
}
