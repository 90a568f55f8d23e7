import type { Project } from '#contract/projects/projects'
import { isMoving, statusView } from '../../../session/project/project-status.ts'
import { Alert } from '../../../ui/Alert.tsx'

/** What is going on with the project, or failed last: these pages are there all the same. */
export function ProjectNote({ project: { name, status, failure } }: { project: Project }) {
  if (isMoving(status))
    return (
      <Alert variant="info" title={`${name} is ${statusView(status).label.toLowerCase()}`}>
        You cannot use its database in the meantime.
      </Alert>
    )
  return (
    failure && (
      <Alert variant="warning" title="The last change to this project failed">
        {failure}
      </Alert>
    )
  )
}
