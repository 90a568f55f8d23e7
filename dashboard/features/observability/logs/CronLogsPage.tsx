import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarClock } from 'lucide-react'
import { logSourceTable } from '#contract/observability/log-sources'
import type { LogFilter } from '#contract/observability/logs'
import { extensionsQuery } from '../../../modules/objects/lists.ts'
import { buttonClass } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { PageHead } from '../../../ui/Page.tsx'
import { NotRunning } from './LogsPage.tsx'
import { LogView } from './LogView.tsx'
import type { LogParams } from './question.ts'
import { scopeOf } from './scope.ts'
import { slugOf } from './sources.ts'
import './logs.css'

type Props = {
  projectRef: string
  params: LogParams
  onParams: (params: LogParams) => void
}

/** Its scheduler and its jobs name themselves so to the server. */
const ofCron: readonly LogFilter[] = [
  { field: 'parsed.application_name', op: 'contains', values: ['pg_cron'] },
]

/** /project/{ref}/logs/pgcron-logs: what the job scheduler of the database has written among the entries of its server. */
export function CronLogsPage({ projectRef, params, onParams }: Props) {
  const { data: extensions } = useQuery(extensionsQuery(projectRef))
  const cron = extensions?.find(({ name }) => name === 'pg_cron')
  const isMissing = extensions !== undefined && !cron?.installed_version
  return (
    <main className="main log-page" id="main">
      <div className="wrap">
        <PageHead
          title="Cron jobs"
          help={`What pg_cron, the job scheduler, writes. Its entries are among those of ${logSourceTable.postgres_logs.title}.`}
        />
        {isMissing ? (
          <NoJobs projectRef={projectRef} isAvailable={cron !== undefined} />
        ) : (
          <>
            <NotRunning projectRef={projectRef} />
            <LogView {...{ projectRef, params, onParams }} scope={scope} fixed={ofCron} />
          </>
        )}
      </div>
    </main>
  )
}

const scope = scopeOf('postgres_logs')

function NoJobs({ projectRef, isAvailable }: { projectRef: string; isAvailable: boolean }) {
  return (
    <div className="card">
      <EmptyState
        icon={CalendarClock}
        title="No cron jobs"
        action={
          <Link
            to="/project/$ref/logs/$source"
            params={{ ref: projectRef, source: slugOf('postgres_logs') }}
            className={buttonClass({})}
          >
            Open {logSourceTable.postgres_logs.title} logs
          </Link>
        }
      >
        {isAvailable
          ? 'The extension pg_cron is not enabled in this database, so no jobs run on a schedule.'
          : 'The extension pg_cron is not available on this installation, so no jobs run on a schedule.'}
      </EmptyState>
    </div>
  )
}
