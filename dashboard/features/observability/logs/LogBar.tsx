import { Link } from '@tanstack/react-router'
import { Link2, Pause, Play, RefreshCw, Regex, SquareTerminal } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import type { LogFilter } from '#contract/observability/logs'
import { Button, buttonClass } from '../../../ui/controls/Button.tsx'
import { useCopy } from '../../../ui/controls/CopyButton.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { useHasRoute } from '../../../session/organization/has-route.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { FilterChips } from './FilterChips.tsx'
import { filtersOf, filterText, type LogParams, type Question } from './question.ts'
import { QuickFilters } from './QuickFilters.tsx'
import { otherFilters } from './quick-filters.ts'
import type { LogScope } from './scope.ts'
import type { Range, RangeChoice } from '../../../modules/logs/range.ts'
import { RangePicker } from '../../../modules/logs/RangePicker.tsx'

type Props = {
  scope: LogScope
  params: LogParams
  question: Question
  now: number
  range: Range
  /** For how long entries of the source are kept, in milliseconds. */
  kept: number
  busy: boolean
  isLive: boolean
  /** Why nobody can search. */
  denial: string | undefined
  /** An address that shows others what is shown here, also tomorrow. */
  link: string
  onParams: (params: LogParams) => void
  onRefresh: () => void
  onLive: (live: boolean) => void
  /** Further filters. */
  more?: ReactNode
}

/** What narrows the entries, and which time they are of. All of it stands in the address. */
export function LogBar(props: Props) {
  const { scope, params, question, now, range, kept, busy, isLive, denial, link } = props
  const { onParams, onRefresh, onLive, more } = props
  const { copied, copy } = useCopy()
  const hasRoute = useHasRoute()
  const filters = filtersOf(scope.fields, params.filter)
  const setFilters = (next: readonly LogFilter[]) =>
    onParams({ ...params, filter: next.map(filterText) })
  return (
    <div className="log-bar">
      <TypedSearch
        text={params.q ?? ''}
        isPattern={params.pattern === true}
        onSearch={(q, pattern) =>
          onParams({ ...params, q: q || undefined, pattern: pattern || undefined })
        }
      />
      <QuickFilters {...{ quick: scope.quick, filters, question, now }} onFilters={setFilters} />
      {more}
      <FilterChips
        fields={scope.fields}
        shown={otherFilters(scope.quick, filters)}
        filters={filters}
        {...{ question, now }}
        onFilters={setFilters}
      />
      <span className="log-bar-end">
        <RangePicker
          choice={params}
          range={range}
          source={scope.keptAs}
          kept={kept}
          onChoice={({ range: preset, from, to }) =>
            onParams({ ...params, range: preset, from, to })
          }
        />
        <Button
          icon={isLive ? Pause : Play}
          aria-pressed={isLive}
          disabledReason={denial}
          onClick={() => onLive(!isLive)}
        >
          Live
        </Button>
        <IconButton
          icon={RefreshCw}
          variant="secondary"
          label="Refresh"
          busy={busy}
          disabledReason={denial}
          onClick={onRefresh}
        />
        <IconButton
          icon={Link2}
          variant="secondary"
          label={copied ? 'Copied' : 'Copy link'}
          onClick={() => void copy(new URL(link, location.href).href)}
        />
        {hasRoute('/project/$ref/logs/explorer') && (
          <Link
            to="/project/$ref/logs/explorer"
            params={{ ref: question.ref }}
            search={{ ...rangeChoice(params), ...scope.query(question) }}
            className={buttonClass({ square: true })}
            aria-label="Open in explorer"
            data-tip="Open in explorer"
          >
            <Icon of={SquareTerminal} />
          </Link>
        )}
      </span>
    </div>
  )
}

/** As it was chosen: a range that ends now does so in the explorer, too. */
const rangeChoice = ({ range, from, to }: RangeChoice) => ({
  ...(range && { range }),
  ...(from && { from }),
  ...(to && { to }),
})

/** How long somebody pauses before what they have typed is searched for. */
const pauseMs = 400

type TypedSearchProps = {
  text: string
  isPattern: boolean
  onSearch: (text: string, isPattern: boolean) => void
}

/** The search box: Enter searches at once, a pause soon. */
function TypedSearch({ text, isPattern, onSearch }: TypedSearchProps) {
  const [typed, setTyped] = useState(text)
  // What comes by the address (back, a link) is what was typed.
  const [before, setBefore] = useState(text)
  if (before !== text) {
    setBefore(text)
    setTyped(text)
  }
  useEffect(() => {
    if (typed === text) return undefined
    const timer = setTimeout(() => onSearch(typed, isPattern), typed === '' ? 0 : pauseMs)
    return () => clearTimeout(timer)
  }, [typed, text, isPattern, onSearch])
  return (
    <form
      className="log-search"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed !== text) onSearch(typed, isPattern)
      }}
    >
      <SearchField
        label={isPattern ? 'Find by regular expression' : 'Find in entries'}
        value={typed}
        width={260}
        onChange={setTyped}
      />
      <IconButton
        icon={Regex}
        label="Use a regular expression"
        aria-pressed={isPattern}
        onClick={() => onSearch(typed, !isPattern)}
      />
    </form>
  )
}
