import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { projectQuery } from '../../../session/project/project.ts'
import { useFollowStatus } from './follow-status.ts'
import { ProjectStatePage } from './ProjectStatePage.tsx'

type Props = {
  projectRef: string
  /** The page is of use without the database, as settings are. */
  always: boolean
  children: ReactNode
}

/** Around every page of a project: while the database cannot be used, the page says why instead. */
export function ProjectGate({ projectRef, always, children }: Props) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  useFollowStatus(project)
  const { status } = project
  if (status === 'ACTIVE_HEALTHY' || status === 'ACTIVE_UNHEALTHY' || always) return children
  return <ProjectStatePage project={project} status={status} />
}
