import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { logSourceTable } from '#contract/observability/log-sources'
import type { LogEvent } from '#contract/observability/logs'
import { cx } from '../../../ui/cx.ts'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { timeText } from '../../../ui/text/number.ts'
import { levelNames, lineOf } from './columns.tsx'
import { traceQuery } from './queries.ts'
import { entryKey } from './question.ts'
import { choiceOf } from '../../../modules/logs/range.ts'
import { slugOf } from './sources.ts'

/** How another entry is opened in the same list. */
export type EntryLinks = {
  hrefOf: (event: LogEvent) => string
  onOpen: (event: LogEvent) => void
}

type Props = {
  projectRef: string
  requestId: string
  event: LogEvent
  within?: EntryLinks | undefined
}

/** Around an entry that is opened by a link: what was written then is in sight with it. */
const aroundMs = 5 * 60_000

/** The page of an entry's source, with the entry open and what was written around it. */
export function sourcePage(ref: string, event: LogEvent) {
  const ms = Math.floor(event.timestamp / 1000)
  return {
    to: '/project/$ref/logs/$source',
    params: { ref, source: slugOf(event.source) },
    search: {
      ...choiceOf({ from: ms - aroundMs, to: ms + aroundMs }),
      log: entryKey(event),
      view: 'request',
    },
  } as const
}

/** All entries of one request across the sources, the oldest first, with the time since the first of them. */
export function RequestEntries({ projectRef, requestId, event, within }: Props) {
  const { data, error, refetch } = useQuery(traceQuery(projectRef, requestId, event.timestamp))
  if (error && !data)
    return <ErrorNote what="this request" error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton width="80%" />
  const start = data[0]?.timestamp ?? event.timestamp
  return (
    <section className="panel-part">
      <h3>All entries of this request</h3>
      <ol className="log-trace">
        {data.map((one) => (
          <li key={`${one.source}.${one.id}`}>
            <EntryLink
              projectRef={projectRef}
              event={one}
              isCurrent={one.id === event.id}
              within={within}
            >
              <span className="log-level" title={levelNames[one.level]}>
                <span className="sr">{levelNames[one.level]}</span>
              </span>
              <span className="mono faint num">
                {one.timestamp === start ? '0 ms' : `+${timeText((one.timestamp - start) / 1000)}`}
              </span>
              <span className="med ell">{logSourceTable[one.source].title}</span>
              <span className="mono log-trace-line">{lineOf(one)}</span>
            </EntryLink>
          </li>
        ))}
      </ol>
      <p className="help">
        Request ID <span className="mono">{requestId}</span>
      </p>
    </section>
  )
}

type LinkProps = Pick<Props, 'projectRef' | 'event' | 'within'> & {
  isCurrent: boolean
  children: ReactNode
}

function EntryLink({ projectRef, event, isCurrent, within, children }: LinkProps) {
  const look = {
    className: cx('log-trace-entry', `is-${event.level}`),
    'aria-current': isCurrent ? ('true' as const) : undefined,
  }
  if (!within)
    return (
      <Link {...sourcePage(projectRef, event)} {...look}>
        {children}
      </Link>
    )
  return (
    <a
      href={within.hrefOf(event)}
      {...look}
      onClick={(click) => {
        if (click.metaKey || click.ctrlKey || click.shiftKey) return
        click.preventDefault()
        within.onOpen(event)
      }}
    >
      {children}
    </a>
  )
}
