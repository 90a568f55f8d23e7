import type { Project } from '#contract/projects/projects'
import { api } from '#contract/api'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { queryClient, useCall } from '../../../api/client.ts'
import { forgetProjectLists } from '../../../session/project/project-lists.ts'
import { projectQuery } from '../../../session/project/project.ts'

type Props = { project: Project; open: boolean; onClose: () => void }

export function RestartDialog({ project, open, onClose }: Props) {
  const restart = useProjectAction('restart', onClose)
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Restart ${project.name}`}
      verb="Restart project"
      danger={false}
      error={restart.error?.message}
      pending={restart.isPending}
      onConfirm={() => restart.mutate({ ref: project.ref })}
    >
      <p>
        The database stops and starts again. Open connections are closed, and running queries end.
      </p>
    </ConfirmDialog>
  )
}

type PauseDialogProps = { project: Project; open: boolean; onClose: () => void }

export function PauseDialog({ project, open, onClose }: PauseDialogProps) {
  const pause = useProjectAction('pause', onClose)
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Pause ${project.name}`}
      verb="Pause project"
      danger={false}
      error={pause.error?.message}
      pending={pause.isPending}
      onConfirm={() => pause.mutate({ ref: project.ref })}
    >
      <p>
        The database stops, and its API no longer answers. Its data is kept, and you can resume it
        at any time.
      </p>
    </ConfirmDialog>
  )
}

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
