import { useSuspenseQuery } from '@tanstack/react-query'
import { Alert } from '../../ui/Alert.tsx'
import { projectQuery } from './project.ts'
import { statusView } from './project-status.ts'

type Props = {
  projectRef: string
  /** What the page shows of the time before. */
  what: 'figures' | 'entries'
  /** Its place on the page. */
  className: string
}

/** While a project does not run, what was kept of it before is there, and nothing is added. */
export function NotRunning({ projectRef, what, className }: Props) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const { status } = project
  if (status === 'ACTIVE_HEALTHY' || status === 'ACTIVE_UNHEALTHY') return null
  return (
    <div className={className}>
      <Alert variant="neutral" title={`The database is not running: ${statusView(status).label}`}>
        Earlier {what} are here. New ones follow when it runs again.
      </Alert>
    </div>
  )
}
