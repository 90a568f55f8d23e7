import { projects } from '#contract/projects/projects'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Project } from '#contract/projects/projects'
import { q, queryClient } from '../../api/client.ts'
import { setStatusInLists } from './project-lists.ts'

function change(ref: string, part: Partial<Project>) {
  const { queryKey } = q(projects.detail, { ref })
  queryClient.setQueryData(queryKey, (project) => project && { ...project, ...part })
}

/** Shows a status everywhere at once, before the server is asked again (requirements §4). */
export function setProjectStatus(ref: string, status: ProjectStatus) {
  change(ref, { status })
  setStatusInLists(ref, status)
}

/** Shows in the details whether the data API answers, before the server is asked again. */
export const setPostgrestStatus = (ref: string, postgrestStatus: Project['postgrestStatus']) =>
  change(ref, { postgrestStatus })
