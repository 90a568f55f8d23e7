import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Filter, FilterX } from 'lucide-react'
import type { ReactNode } from 'react'
import { logSourceTable, type LogSource } from '#contract/observability/log-sources'
import type { LogEvent, LogFilter } from '#contract/observability/logs'
import { choiceOf } from '../../../modules/logs/range.ts'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { cx } from '../../../ui/cx.ts'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { InlinePanel } from '../../../ui/floats/InlinePanel.tsx'
import { Tabs } from '../../../ui/navigation/Tabs.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { timeText } from '../../../ui/text/number.ts'
import { levelNames, lineOf, statusTone, valueText } from './columns.tsx'
import { exactClock, exactMicros } from '../../../modules/logs/log-time.ts'
import { entryQuery, traceQuery } from './queries.ts'
import { entryKey, entryOf, type LogParams } from './question.ts'
import { fieldOf, fieldsOf, slugOf } from './sources.ts'

type View = NonNullable<LogParams['view']> | 'fields'

type Props = {
  projectRef: string
  /** The source of the list, or all of them. */
  sources: readonly LogSource[]
  /** The entry as the address names it; undefined: none is open. */
  open: string | undefined
  /** It is among those that are loaded. */
  loaded: LogEvent | undefined
  view: View
  onView: (view: View) => void
  onFilter: (filter: LogFilter) => void
  /** Opens another entry of the same list; without it, in the list of its own source. */
  within?: EntryLinks | undefined
  onClose: () => void
}

/** Everything about one entry, beside the list. */
export function EntryPanel({ projectRef, sources, open, loaded, onClose, ...detail }: Props) {
  const at = open === undefined ? undefined : entryOf(open)
  const query = useQuery({
    ...entryQuery({ ref: projectRef, sources, timestamp: at?.timestamp ?? 0, id: at?.id ?? '' }),
    enabled: at !== undefined && !loaded,
  })
  const event = loaded ?? query.data
  return (
    <InlinePanel
      open={open !== undefined}
      size="large"
      onClose={onClose}
      title={event ? `${levelNames[event.level]} at ${exactClock(event.timestamp)}` : 'Entry'}
    >
      {event ? (
        <Detail key={event.id} {...{ projectRef, event }} {...detail} />
      ) : query.error ? (
        <ErrorNote what="this entry" error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === null ? (
        <p className="muted">
          This entry is not there any more, or it is older than what your plan keeps.
        </p>
      ) : (
        <Skeleton width="60%" />
      )}
    </InlinePanel>
  )
}

type DetailProps = Pick<Props, 'projectRef' | 'view' | 'onView' | 'onFilter' | 'within'> & {
  event: LogEvent
}

function Detail({ projectRef, event, view, onView, onFilter, within }: DetailProps) {
  const requestId = event.fields['request_id']
  const hasRequest = typeof requestId === 'string' && requestId !== ''
  const shown = view === 'request' && !hasRequest ? 'fields' : view
  return (
    <>
      {within && (
        <p className="log-elsewhere t12">
          {logSourceTable[event.source].title}
          <Link className="link" {...sourcePage(projectRef, event)}>
            Open in its own page
          </Link>
        </p>
      )}
      <Tabs<View>
        label="About this entry"
        tabs={[
          { id: 'fields', label: 'Fields' },
          ...(hasRequest ? [{ id: 'request' as const, label: 'Request' }] : []),
          { id: 'json', label: 'Raw JSON' },
        ]}
        value={shown}
        onChange={onView}
      />
      {shown === 'fields' && (
        <>
          <section className="panel-part log-message">
            <h3>Message</h3>
            <CodeBlock code={event.event_message} language="text" what="message" />
          </section>
          <Facts event={event} onFilter={onFilter} />
        </>
      )}
      {shown === 'request' && hasRequest && (
        <RequestEntries {...{ projectRef, requestId, event, within }} />
      )}
      {shown === 'json' && (
        <div className="log-message">
          <CodeBlock code={JSON.stringify(event, null, 2)} language="js" what="JSON" />
        </div>
      )}
    </>
  )
}

type FactsProps = Pick<DetailProps, 'event' | 'onFilter'>

/** Each field that has a value, with ways to copy it and to filter by it. */
function Facts({ event, onFilter }: FactsProps) {
  const { source } = event
  const known = fieldsOf(source).map(({ key }) => key)
  const keys = [...new Set([...known, ...Object.keys(event.fields)])]
  const facts = keys.flatMap((key) => {
    const value = key === 'level' ? event.level : event.fields[key]
    return value === undefined || value === '' ? [] : [{ ...fieldOf(source, key), key, value }]
  })
  return (
    <dl className="log-facts">
      <Fact name="Local time" value={exactMicros(event.timestamp)}>
        <CopyButton text={new Date(event.timestamp / 1000).toISOString()} what="time in UTC" />
      </Fact>
      <Fact name="ID" value={event.id}>
        <CopyButton text={event.id} what="ID" />
      </Fact>
      {facts.map(({ key, name, path, value }) => {
        const byValue = (op: 'is' | 'is_not') =>
          onFilter({ field: key, op, values: [typeof value === 'boolean' ? String(value) : value] })
        const isFilterable = known.includes(key) && String(value).length <= 500
        return (
          <Fact
            key={key}
            name={name}
            path={path}
            value={valueText(key, value)}
            tone={key === 'status' ? statusTone(Number(value)) : undefined}
          >
            {isFilterable && (
              <>
                <IconButton
                  icon={Filter}
                  iconSize="s"
                  label={`Only this ${lowered(name)}`}
                  onClick={() => byValue('is')}
                />
                <IconButton
                  icon={FilterX}
                  iconSize="s"
                  label={`Without this ${lowered(name)}`}
                  onClick={() => byValue('is_not')}
                />
              </>
            )}
            <CopyButton text={String(value)} what={lowered(name)} />
          </Fact>
        )
      })}
    </dl>
  )
}

type FactProps = {
  name: string
  /** In the public dialects. */
  path?: string
  value: string
  tone?: string | undefined
  /** What can be done with the value. */
  children: ReactNode
}

const Fact = ({ name, path, value, tone, children }: FactProps) => (
  <div>
    <dt title={path}>{name}</dt>
    <dd>
      <span className={cx('mono', tone)}>{value}</span>
      <span className="log-fact-acts">{children}</span>
    </dd>
  </div>
)

/** 'Status' within a sentence; 'IP address' and 'SQL state code' stay as they are. */
const lowered = (name: string): string =>
  /^[A-Z]{2}/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1)

/** How another entry is opened in the same list. */
type EntryLinks = {
  hrefOf: (event: LogEvent) => string
  onOpen: (event: LogEvent) => void
}

type RequestEntriesProps = {
  projectRef: string
  requestId: string
  event: LogEvent
  within?: EntryLinks | undefined
}

/** Around an entry that is opened by a link: what was written then is in sight with it. */
const aroundMs = 5 * 60_000

/** The page of an entry's source, with the entry open and what was written around it. */
function sourcePage(ref: string, event: LogEvent) {
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
function RequestEntries({ projectRef, requestId, event, within }: RequestEntriesProps) {
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

type LinkProps = Pick<RequestEntriesProps, 'projectRef' | 'event' | 'within'> & {
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
