import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Health } from '#contract/operations/health'
import { Alert } from '../../../ui/Alert.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { counted } from '../../../ui/text/number.ts'
import { Ago } from '../../../ui/text/Time.tsx'
import { BackupsCard, ProjectsCard } from './ProjectCards.tsx'
import { DatabaseCard, DiskCard, ProgramsCard } from './MachineCards.tsx'
import { JobsCard, RoundsCard } from './WorkCards.tsx'
import { healthQuery } from './queries.ts'
import './installation.css'

const everyMs = 15_000

/** /operator/health: how the installation itself is. */
export function HealthPage() {
  const { data, error, refetch } = useQuery({ ...healthQuery, refetchInterval: everyMs })
  return (
    <Page>
      <PageHead
        title="Health"
        help={
          data ? (
            <>
              Version {data.version}, measured <Ago at={data.taken_at} />.
            </>
          ) : (
            'How this installation is.'
          )
        }
      />
      {error && !data && <ErrorNote what="Health" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton width={320} />}
      {data && (
        <div className="form-stack">
          <OpenAlerts alerts={data.open_alerts} />
          <ProgramsCard planes={data.planes} />
          <div className="health-pair">
            <DatabaseCard database={data.database} />
            <DiskCard disks={data.disks} />
          </div>
          <JobsCard jobs={data.jobs} mails={data.mails} />
          <RoundsCard rounds={data.rounds} failing={data.failing} />
          <ProjectsCard projects={data.projects} />
          <BackupsCard backups={data.backups} />
          <Absent absent={data.absent} />
        </div>
      )}
    </Page>
  )
}

function OpenAlerts({ alerts }: { alerts: Health['open_alerts'] }) {
  if (alerts.length === 0) return <Alert variant="success" title="No alert is open" />
  return (
    <Alert
      variant="danger"
      title={`${counted(alerts.length, 'alert')} open`}
      action={
        <Link className="link" to="/operator/alerts">
          View alerts
        </Link>
      }
    >
      <ul className="health-alerts">
        {alerts.map(({ condition, subject, message, since }) => (
          <li key={`${condition} ${subject}`}>
            {message}, opened <Ago at={since} />
          </li>
        ))}
      </ul>
    </Alert>
  )
}

/** What nobody can know here is said, and not shown as well. */
function Absent({ absent }: { absent: Health['absent'] }) {
  if (absent.length === 0) return null
  return (
    <Card title="Not measured here">
      <dl className="health-facts">
        {absent.map(({ part, why }) => (
          <div key={part}>
            <dt>{part}</dt>
            <dd>{why}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
