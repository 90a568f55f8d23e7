import { api } from '#contract/api'
import type { Project } from '#contract/projects/projects'
import { queryClient, useCall } from '../../../api/client.ts'
import { forgetProjectLists } from '../../../session/project/project-lists.ts'
import { projectQuery } from '../../../session/project/project.ts'

const actions = {
  pause: api.projects.pause,
  restore: api.projects.restore,
  restart: api.projects.restart,
  remove: api.projects.remove,
}
export type ProjectAction = keyof typeof actions

export const endpointOf = (action: ProjectAction) => actions[action]

/** Runs one of the long jobs of a project. The answer has the new status, which is shown at once everywhere. */
export function useProjectAction(action: ProjectAction, onSuccess?: (project: Project) => void) {
  return useCall(actions[action], {
    onSuccess: async (project) => {
      queryClient.setQueryData(projectQuery(project.ref).queryKey, project)
      onSuccess?.(project)
      await forgetProjectLists()
    },
  })
}
