import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
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

type Props = { projectRef: string; requestId: string; event: LogEvent }

/** Around an entry that is opened by a link: what was written then is in sight with it. */
const aroundMs = 5 * 60_000

/** All entries of one request across the sources, the oldest first, with the time since the first of them. */
export function RequestEntries({ projectRef, requestId, event }: Props) {
  const { data, error, refetch } = useQuery(traceQuery(projectRef, requestId, event.timestamp))
  if (error && !data)
    return <ErrorNote what="this request" error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton width="80%" />
  const start = data[0]?.timestamp ?? event.timestamp
  return (
    <section className="panel-part">
      <h3>All entries of this request</h3>
      <ol className="log-trace">
        {data.map((one) => {
          const ms = Math.floor(one.timestamp / 1000)
          return (
            <li key={`${one.source}.${one.id}`}>
              <Link
                to="/project/$ref/logs/$source"
                params={{ ref: projectRef, source: slugOf(one.source) }}
                search={{
                  ...choiceOf({ from: ms - aroundMs, to: ms + aroundMs }),
                  log: entryKey(one),
                  view: 'request',
                }}
                className={cx('log-trace-entry', `is-${one.level}`)}
                aria-current={one.id === event.id ? 'true' : undefined}
              >
                <span className="log-level" title={levelNames[one.level]}>
                  <span className="sr">{levelNames[one.level]}</span>
                </span>
                <span className="mono faint num">
                  {one.timestamp === start
                    ? '0 ms'
                    : `+${timeText((one.timestamp - start) / 1000)}`}
                </span>
                <span className="med ell">{logSourceTable[one.source].title}</span>
                <span className="mono log-trace-line">{lineOf(one)}</span>
              </Link>
            </li>
          )
        })}
      </ol>
      <p className="help">
        Request ID <span className="mono">{requestId}</span>
      </p>
    </section>
  )
}
