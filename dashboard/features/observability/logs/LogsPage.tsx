import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Unplug } from 'lucide-react'
import { logSourceTable, type LogSource } from '#contract/observability/log-sources'
import { useSelfHosted } from '../../../session/organization/mode.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { statusView } from '../../../session/project/project-status.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { buttonClass } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { PageHead } from '../../../ui/Page.tsx'
import { aboutQuery } from '../../../modules/logs/asked.ts'
import { keptMs, keptText } from '../../../modules/logs/range.ts'
import { LogView } from './LogView.tsx'
import type { LogParams } from './question.ts'
import { scopeOf } from './scope.ts'
import { insteadOf, slugOf } from './sources.ts'
import './logs.css'

type Props = {
  projectRef: string
  source: LogSource
  params: LogParams
  onParams: (params: LogParams) => void
}

/** /project/{ref}/logs/{source}: what one of the services of a project has written. */
export function LogsPage({ projectRef, source, params, onParams }: Props) {
  const { title, about, absentElsewhere, ...known } = logSourceTable[source]
  const isElsewhere = useSelfHosted()
  const absent = known.absent ?? (isElsewhere ? absentElsewhere : undefined)
  return (
    <main className="main log-page" id="main">
      <div className="wrap">
        <PageHead title={title} help={<About {...{ projectRef, source }} words={`${about}.`} />} />
        {absent === undefined ? (
          <>
            <NotRunning projectRef={projectRef} />
            <LogView key={source} {...{ projectRef, params, onParams }} scope={scopeOf(source)} />
          </>
        ) : (
          <Absent {...{ projectRef, source, absent }} />
        )}
      </div>
    </main>
  )
}

type AboutProps = { projectRef: string; source: LogSource; words: string }

/** What a source is, and how long its entries are kept where that is another time than for all others. */
function About({ projectRef, source, words }: AboutProps) {
  const { data } = useQuery(aboutQuery(projectRef))
  if (!data || source !== 'auth_audit_logs') return words
  return `${words} ${keptText(keptMs(source, data.retention_days))}.`
}

/** While a project does not run its earlier entries are there, and nothing is added to them. */
export function NotRunning({ projectRef }: { projectRef: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const { status } = project
  if (status === 'ACTIVE_HEALTHY' || status === 'ACTIVE_UNHEALTHY') return null
  return (
    <div className="log-note">
      <Alert variant="neutral" title={`The database is not running: ${statusView(status).label}`}>
        Earlier entries are here. New ones follow when it runs again.
      </Alert>
    </div>
  )
}

type AbsentProps = { projectRef: string; source: LogSource; absent: string }

/** A source that this installation does not have: why, and where to look instead. */
function Absent({ projectRef, source, absent }: AbsentProps) {
  const instead = insteadOf[source]
  return (
    <div className="card">
      <EmptyState
        icon={Unplug}
        title="No entries on this installation"
        action={
          instead && (
            <Link
              to="/project/$ref/logs/$source"
              params={{ ref: projectRef, source: slugOf(instead) }}
              className={buttonClass({})}
            >
              Open {logSourceTable[instead].title} logs
            </Link>
          )
        }
      >
        {absent}
        {instead && ` What the database server writes is in ${logSourceTable[instead].title}.`}
      </EmptyState>
    </div>
  )
}
