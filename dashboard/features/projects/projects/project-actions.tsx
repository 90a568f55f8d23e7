import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CirclePause, CirclePlay, FileCode2, Plus, RotateCw } from 'lucide-react'
import { useState } from 'react'
import type { Project } from '#contract/projects/projects'
import { projects } from '#contract/projects/projects'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { useHasRoute } from '../../../session/organization/has-route.ts'
import { useSelfHosted } from '../../../session/organization/mode.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { type Command, useCommands } from '../../../ui/floats/commands.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { queryClient, useCall } from '../../../api/client.ts'
import { ofProjectLists } from '../../../session/project/project-lists.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { toast } from '../../../ui/floats/toast.ts'

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
  pause: projects.pause,
  restore: projects.restore,
  restart: projects.restart,
  remove: projects.remove,
}
export type ProjectAction = keyof typeof actions

export const endpointOf = (action: ProjectAction) => actions[action]

/** Runs one of the long jobs of a project. The answer has the new status, which is shown at once everywhere. */
export function useProjectAction(
  action: ProjectAction,
  onSuccess?: () => void,
  leave?: () => unknown,
) {
  return useCall(actions[action], {
    onAnswer: (project) => {
      queryClient.setQueryData(projectQuery(project.ref).queryKey, project)
      return leave?.()
    },
    changes: ofProjectLists,
    onSuccess: () => onSuccess?.(),
  })
}

/** What can be done with the project of the page, from the command menu. */
export function ProjectActionCommands({ projectRef }: { projectRef: string }) {
  const { data: project } = useQuery(projectQuery(projectRef))
  return project ? <Actions project={project} /> : null
}

function Actions({ project }: { project: Project }) {
  const { ref, organization_slug: organizationSlug, status } = project
  const navigate = useNavigate()
  const why = useDenials({ organizationSlug, projectRef: ref })
  const selfHosted = useSelfHosted()
  const off = useDisabledFeatures()
  const has = useHasRoute()
  const [asking, setAsking] = useState<'restart' | 'pause'>()
  const close = () => setAsking(undefined)
  const resume = useProjectAction('restore')
  const may = (action: 'restart' | 'pause' | 'restore') => !selfHosted && !why(endpointOf(action))
  const isUp = status === 'ACTIVE_HEALTHY'
  const opens = (id: string, name: string, below: string, icon = Plus): Command => ({
    id,
    section: 'Actions',
    name,
    icon,
    run: () => void navigate({ to: `/project/${ref}/${below}` }),
  })
  useCommands([
    opens('run-sql', 'New query', 'sql/new', FileCode2),
    ...(isUp ? [opens('create-table', 'Create a table', 'editor/new')] : []),
    ...(has('/project/$ref/functions/new')
      ? [opens('create-function', 'New edge function', 'functions/new')]
      : []),
    ...(isUp && may('restart') && !off('project_settings:restart_project')
      ? [
          {
            id: 'restart-project',
            section: 'Actions',
            name: 'Restart project',
            icon: RotateCw,
            run: () => setAsking('restart'),
          },
        ]
      : []),
    ...(isUp && may('pause')
      ? [
          {
            id: 'pause-project',
            section: 'Actions',
            name: 'Pause project',
            icon: CirclePause,
            run: () => setAsking('pause'),
          },
        ]
      : []),
    ...(status === 'INACTIVE' && may('restore')
      ? [
          {
            id: 'resume-project',
            section: 'Actions',
            name: 'Resume project',
            icon: CirclePlay,
            run: () =>
              resume.mutate(
                { ref },
                {
                  onError: (error) =>
                    toast.error(`${project.name} was not resumed`, { description: error.message }),
                },
              ),
          },
        ]
      : []),
  ])
  return (
    <>
      <RestartDialog project={project} open={asking === 'restart'} onClose={close} />
      <PauseDialog project={project} open={asking === 'pause'} onClose={close} />
    </>
  )
}
