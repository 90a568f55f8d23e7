import { useSuspenseQuery } from '@tanstack/react-query'
import { projectQuery } from '../../session/project/project.ts'
import { statusView } from '../../session/project/project-status.ts'
import { Alert } from '../../ui/Alert.tsx'

/** While a project does not run its earlier figures are there. */
export function NotRunning({ projectRef }: { projectRef: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const { status } = project
  if (status === 'ACTIVE_HEALTHY' || status === 'ACTIVE_UNHEALTHY') return null
  return (
    <div className="report-note">
      <Alert variant="neutral" title={`The database is not running: ${statusView(status).label}`}>
        Earlier figures are here. New ones follow when it runs again.
      </Alert>
    </div>
  )
}
