import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarClock, Unplug } from 'lucide-react'
import { useMemo } from 'react'
import { logSourceTable, type LogSource } from '#contract/observability/log-sources'
import type { LogFilter } from '#contract/observability/logs'
import { extensionsQuery } from '../../../modules/objects/lists.ts'
import { useSelfHosted } from '../../../session/organization/mode.ts'
import { NotRunning } from '../../../session/project/NotRunning.tsx'
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
            <NotRunning projectRef={projectRef} what="entries" className="log-note" />
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

type CronLogsPageProps = {
  projectRef: string
  params: LogParams
  onParams: (params: LogParams) => void
}

/** Its scheduler and its jobs name themselves so to the server. */
const ofCron: readonly LogFilter[] = [
  { field: 'parsed.application_name', op: 'contains', values: ['pg_cron'] },
]

/** /project/{ref}/logs/pgcron-logs: what the job scheduler of the database has written among the entries of its server. */
export function CronLogsPage({ projectRef, params, onParams }: CronLogsPageProps) {
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
            <NotRunning projectRef={projectRef} what="entries" className="log-note" />
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

type FunctionLogsProps = {
  projectRef: string
  /** Of the function, as its entries name it. */
  functionId: string
  source: Extract<LogSource, 'function_logs' | 'function_edge_logs'>
  params: LogParams
  onParams: (params: LogParams) => void
}

/** The entries of one function, within its pages. */
export function FunctionLogs({ functionId, source, ...view }: FunctionLogsProps) {
  const fixed = useMemo(
    (): LogFilter[] => [{ field: 'function_id', op: 'is', values: [functionId] }],
    [functionId],
  )
  return (
    <div className="log-inside">
      <LogView {...view} scope={scopeOf(source)} fixed={fixed} />
    </div>
  )
}
