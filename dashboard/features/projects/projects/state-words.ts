import type { ProjectStatus } from '#contract/projects/project-status'
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
    text: 'We are creating a dedicated Postgres server. This takes a few seconds.',
  },
  RESTARTING: {
    title: (name) => `Restarting ${name}`,
    text: 'Open connections are closed. New ones are accepted in a moment.',
  },
  RESTORING: {
    title: (name) => `Restoring ${name}`,
    text: 'The database is starting again. Its data is kept until it answers.',
  },
  UPGRADING: {
    title: (name) => `Upgrading ${name}`,
    text: 'The database is moving to a newer Postgres version. The old one is kept until the new one answers.',
  },
  RESIZING: {
    title: (name) => `Resizing ${name}`,
    text: 'The database starts again with its new size.',
  },
  PAUSING: {
    title: (name) => `Pausing ${name}`,
    text: 'Writes are flushed to disk, then the database stops. Nothing is lost.',
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
    text: 'The state of the database cannot be read right now. This page updates automatically.',
  },
  INIT_FAILED: {
    title: (name) => `${name} could not be set up`,
    text: 'The partial setup is cleaned up. Try again, or delete the project in its settings.',
    action: { run: 'restore', label: 'Try again' },
  },
  PAUSE_FAILED: {
    title: (name) => `${name} could not be paused`,
    text: 'The database may still be running. Try again.',
    action: { run: 'pause', label: 'Try again' },
  },
  RESTORE_FAILED: {
    title: (name) => `${name} could not be restored`,
    text: 'The data is unchanged. Try again.',
    action: { run: 'restore', label: 'Try again' },
  },
}
