import type { Project } from '#contract/projects/projects'

/** Milliseconds between two looks at a project's details, false for none (requirements §4: exactly these cases). */
export const detailInterval = (project: Pick<Project, 'status' | 'connectionString'> | undefined) =>
  project &&
  (project.status === 'COMING_UP' || project.status === 'UNKNOWN' || !project.connectionString)
    ? 5_000
    : false
