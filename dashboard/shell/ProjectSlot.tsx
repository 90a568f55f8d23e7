import { ApiDocsGate } from '../features/data-api/api-docs/ApiDocsGate.tsx'
import { ConnectGate } from '../features/projects/connect/ConnectGate.tsx'
import { ProjectCommands } from '../features/projects/connect/ProjectCommands.tsx'
import { ProjectActionCommands } from '../features/projects/projects/ProjectActionCommands.tsx'
import { useWhere } from '../session/project/where.ts'

/** The place for what opens over any page of a project: ways to connect, its documentation, its commands. */
export function ProjectSlot() {
  const { ref } = useWhere()
  if (!ref) return null
  return (
    <>
      <ConnectGate projectRef={ref} />
      <ProjectCommands projectRef={ref} />
      <ProjectActionCommands projectRef={ref} />
      <ApiDocsGate projectRef={ref} />
    </>
  )
}
