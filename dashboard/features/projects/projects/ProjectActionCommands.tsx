import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CirclePause, CirclePlay, FileCode2, Plus, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useHasRoute } from '../../../session/organization/has-route.ts'
import { useSelfHosted } from '../../../session/organization/mode.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import type { Project } from '#contract/projects/projects'
import { type Command, useCommands } from '../../../ui/floats/commands.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { RestartDialog, PauseDialog, endpointOf, useProjectAction } from './project-actions.tsx'

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
