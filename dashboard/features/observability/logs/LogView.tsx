import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import {
  useCallback,
  useMemo,
  useRef,
  useState,
  type ComponentType,
  type KeyboardEvent,
} from 'react'
import type { LogEvent, LogFilter } from '#contract/observability/logs'
import { aboutQuery } from '../../../modules/logs/asked.ts'
import { EngineMissing, LogsFailed } from '../../../modules/logs/LogsFailed.tsx'
import { useNarrow } from '../../../ui/use-narrow.ts'
import { useNow } from '../../../ui/text/Time.tsx'
import { stringifySearch } from '../../../search.ts'
import { rowsOf } from './entries.ts'
import { EntryPanel } from './EntryPanel.tsx'
import { Histogram } from './Histogram.tsx'
import { LogBar } from './LogBar.tsx'
import { LogList } from './LogList.tsx'
import { LogFoot, LogsSkeleton, NewEntries, NothingFound } from './LogStates.tsx'
import { entriesQuery } from './queries.ts'
import {
  entryKey,
  entryOf,
  filtersOf,
  filterText,
  questionKey,
  questionOf,
  sameFilter,
  type LogParams,
} from './question.ts'
import { choiceOf, keptMs, rangeOf, widerThan, type Range } from '../../../modules/logs/range.ts'
import { FiltersButton, type FacetsProps } from './QuickFilters.tsx'
import type { LogScope } from './scope.ts'
import { useLive } from './use-live.ts'
import './logs.css'

type Props = {
  projectRef: string
  scope: LogScope
  params: LogParams
  onParams: (params: LogParams) => void
  /** Filters that the page always has, which nobody sees as such. */
  fixed?: readonly LogFilter[] | undefined
  /** What counts the values of fields, beside the list or behind a button where there is no room. */
  Facets?: ComponentType<FacetsProps> | undefined
}

/** The entries of a source, or of all: what narrows them, how many there were over time, the list, and one of them beside it. */
export function LogView({ projectRef, scope, params, onParams, fixed, Facets }: Props) {
  const asking = questionKey(params)
  const [moment, setMoment] = useState(() => {
    const at = Date.now()
    return { of: asking, at, before: at }
  })
  const now = moment.of === asking ? moment.at : moment.before
  const [isLive, setLive] = useState(false)
  const [isAway, setAway] = useState(false)
  const [top, setTop] = useState(0)
  const body = useRef<HTMLDivElement>(null)
  const { pathname } = useLocation()
  const isTight = useNarrow('(max-width: 1199px)')
  const isTightBeside = useNarrow('(max-width: 1599px)')
  // An open entry takes the room of what is counted.
  const hasRoom = params.log === undefined ? !isTight : !isTightBeside
  const about = useQuery(aboutQuery(projectRef))
  const { q, pattern, range: preset, from, to, filter } = params

  const kept = about.data ? keptMs(scope.keptAs, about.data.retention_days) : Infinity
  const range = useMemo(
    () => rangeOf({ range: preset, from, to }, now, kept),
    [preset, from, to, now, kept],
  )
  const question = useMemo(
    () => questionOf({ ref: projectRef, scope, fixed }, { q, pattern, filter }, range),
    [projectRef, scope, fixed, q, pattern, filter, range],
  )
  // While a log is followed the chart follows it too, at its own pace.
  const clock = useNow().getTime()
  const asOf = isLive ? Math.max(now, clock) : now
  const chart = useMemo(() => {
    const span = rangeOf({ range: preset, from, to }, asOf, kept)
    return { now: asOf, range: span, question: { ...question, ...choiceOf(span) } }
  }, [preset, from, to, asOf, kept, question])
  const hasEngine = about.data?.engine !== false
  const entries = useInfiniteQuery({
    ...entriesQuery(question, now, kept),
    enabled: hasEngine && about.isFetched,
  })
  const { data, error, hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage } = entries
  const live = useLive({
    question,
    now,
    kept,
    enabled: isLive && data !== undefined && !isPlaceholderData,
    isAway,
  })
  const { shown } = live
  const rows = useMemo(() => (data ? rowsOf([shown, ...data.pages]) : undefined), [data, shown])

  const close = () => onParams({ ...params, log: undefined, view: undefined })
  /** Another question: it is asked as of now, and what was open belongs to the one before. */
  const ask = (next: LogParams) => {
    // The address follows a moment later: until then nothing new is asked, so that it is asked once.
    setMoment({ of: questionKey(next), at: Date.now(), before: now })
    setTop((times) => times + 1)
    onParams({ ...next, log: undefined, view: undefined })
  }
  const askRange = (next: Range) => {
    setLive(false)
    ask({ ...params, range: undefined, ...choiceOf(next) })
  }
  const follow = (on: boolean) => {
    setLive(on)
    // What ended in the past has nothing new.
    if (on) ask({ ...params, from: undefined, to: undefined })
  }
  const showHeld = () => {
    live.showHeld()
    setTop((times) => times + 1)
  }
  const away = (isNowAway: boolean) => {
    setAway(isNowAway)
    if (!isNowAway) live.showHeld()
  }
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !error && !isPlaceholderData) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, error, isPlaceholderData, fetchNextPage])
  const hrefOf = (next: LogParams) => pathname + stringifySearch(next)

  function press(event: KeyboardEvent<HTMLElement>) {
    if (event.key !== 'Escape' || event.defaultPrevented || params.log === undefined) return
    close()
    // The panel goes and with it whatever of it had the focus.
    body.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()
  }

  const opened = params.log === undefined ? undefined : entryOf(params.log)
  const loaded = rows?.find((row) => row.kind === 'event' && row.key === opened?.id)
  const filters = filtersOf(scope.fields, filter)
  const opening = (one: LogEvent): LogParams => ({ ...params, log: entryKey(one) })
  const counted = hasEngine && Facets && (
    <Facets
      question={chart.question}
      now={chart.now}
      enabled={about.isFetched}
      filters={filters}
      onFilters={(next) => ask({ ...params, filter: next.map(filterText) })}
    />
  )
  const engineDenial = hasEngine ? undefined : 'This platform cannot search logs'
  return (
    <div className="log-view">
      <LogBar
        {...{ scope, params, question, now, range, kept, isLive }}
        busy={entries.isFetching && !isFetchingNextPage}
        denial={engineDenial}
        link={hrefOf({ ...params, range: undefined, ...choiceOf(chart.range) })}
        onParams={ask}
        onRefresh={() => ask({ ...params })}
        onLive={follow}
        more={
          !hasRoom && counted && <FiltersButton count={filters.length}>{counted}</FiltersButton>
        }
      />
      {hasEngine ? (
        <>
          <Histogram
            {...chart}
            enabled={about.isFetched}
            isQuiet={error !== null}
            hrefOf={(next) => hrefOf({ ...params, range: undefined, ...choiceOf(next) })}
            onRange={askRange}
          />
          {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape closes from the list and from the panel */}
          <div className="log-body" ref={body} onKeyDown={press}>
            {hasRoom && counted && (
              <section className="log-facets" aria-label="Filters">
                {counted}
              </section>
            )}
            <div className="log-main">
              {live.error && (
                <output className="log-stopped">
                  Could not read new entries. {live.error.message}
                </output>
              )}
              {isLive && live.held > 0 && <NewEntries count={live.held} onShow={showHeld} />}
              {rows === undefined ? (
                error ? (
                  <LogsFailed
                    what="entries"
                    error={error}
                    onRetry={() => ask({ ...params })}
                    onLastHour={() =>
                      ask({ ...params, range: '1h', from: undefined, to: undefined })
                    }
                  />
                ) : (
                  <LogsSkeleton />
                )
              ) : rows.length === 0 && !hasNextPage ? (
                <NothingFound
                  isLive={isLive}
                  isNarrowed={Boolean(q || filter?.length)}
                  wider={widerThan(range, kept)}
                  onClear={() =>
                    ask({ ...params, q: undefined, pattern: undefined, filter: undefined })
                  }
                  onWider={(next) =>
                    ask({ ...params, range: next, from: undefined, to: undefined })
                  }
                />
              ) : (
                <LogList
                  label={scope.label}
                  columns={scope.columns}
                  rows={rows}
                  isStale={isPlaceholderData}
                  open={opened?.id}
                  onOpen={(row) =>
                    row.kind === 'event' && onParams({ ...params, log: entryKey(row.event) })
                  }
                  onEnd={more}
                  onAway={away}
                  top={top}
                  foot={
                    <LogFoot
                      count={rows.filter(({ kind }) => kind === 'event').length}
                      error={error}
                      hasMore={hasNextPage}
                      busy={isFetchingNextPage}
                      keptSince={about.data?.kept_since}
                      from={range.from}
                      onMore={() => void fetchNextPage()}
                    />
                  }
                />
              )}
            </div>
            <EntryPanel
              projectRef={projectRef}
              sources={scope.sources}
              open={params.log}
              loaded={loaded?.kind === 'event' ? loaded.event : undefined}
              view={params.view ?? 'fields'}
              onView={(view) => onParams({ ...params, view: view === 'fields' ? undefined : view })}
              onFilter={(one) => {
                if (filters.some((known) => sameFilter(known, one))) return
                ask({ ...params, filter: [...filters, one].map(filterText) })
              }}
              within={
                Facets && {
                  hrefOf: (one) => hrefOf(opening(one)),
                  onOpen: (one) => onParams(opening(one)),
                }
              }
              onClose={close}
            />
          </div>
        </>
      ) : (
        <EngineMissing />
      )}
    </div>
  )
}
