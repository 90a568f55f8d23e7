import { Link } from '@tanstack/react-router'
import { Link2, Pause, Play, Plus, RefreshCw, Regex, SquareTerminal } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import type { LogFilter } from '#contract/observability/logs'
import { Button, buttonClass } from '../../../ui/controls/Button.tsx'
import { useCopy } from '../../../ui/controls/CopyButton.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { useHasRoute } from '../../../session/organization/has-route.ts'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { AddFilter, FilterChip } from '../../../ui/floats/FilterChip.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { CommonValues } from './CommonValues.tsx'
import {
  filtersOf,
  filterText,
  opNames,
  opsFor,
  sameFilter,
  type FilterOp,
  type LogParams,
  type Question,
} from './question.ts'
import { QuickFilters } from './QuickFilters.tsx'
import { otherFilters } from './quick-filters.ts'
import type { LogScope } from './scope.ts'
import type { Range, RangeChoice } from '../../../modules/logs/range.ts'
import { RangePicker } from '../../../modules/logs/RangePicker.tsx'
import { fieldIn, type LogFieldInfo } from './sources.ts'

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

type FilterChipsProps = {
  /** Those that can be asked about. */
  fields: readonly LogFieldInfo[]
  /** Those that are shown as chips. */
  shown: readonly LogFilter[]
  filters: readonly LogFilter[]
  onFilters: (filters: readonly LogFilter[]) => void
} & Asking

/** Whose values are suggested. */
type Asking = { question: Question; now: number }

/** Conditions on any of some fields, and what adds one. */
function FilterChips({ fields, shown, filters, question, now, onFilters }: FilterChipsProps) {
  const replace = (old: LogFilter, next?: LogFilter) =>
    onFilters(filters.flatMap((one) => (sameFilter(one, old) ? (next ? [next] : []) : [one])))
  return (
    <>
      {shown.map((filter) => {
        const { name } = fieldIn(fields, filter.field)
        const values = filter.values.join(' or ')
        return (
          <FilterChip
            key={filterText(filter)}
            what={`filter on ${name}`}
            words={`${opNames[filter.op]} ${values}`}
            parts={
              <>
                <span>{name}</span>
                <span className="op">{opNames[filter.op]}</span>
                <span className="ell">{values}</span>
              </>
            }
            form={(close) => (
              <FilterForm
                {...{ fields, filter, question, now }}
                onDone={(next) => {
                  close()
                  replace(filter, next)
                }}
              />
            )}
            onRemove={() => replace(filter)}
          />
        )
      })}
      <AddFilter
        label="Add a filter"
        trigger={
          <Button variant="ghost" icon={Plus}>
            Add filter
          </Button>
        }
        form={(close) => (
          <FilterForm
            {...{ fields, question, now }}
            onDone={(filter) => {
              close()
              onFilters([...filters, filter])
            }}
          />
        )}
      />
    </>
  )
}

type FilterFormProps = Asking & {
  fields: readonly LogFieldInfo[]
  filter?: LogFilter
  onDone: (filter: LogFilter) => void
}

/** A field, compared with what somebody types. */
function FilterForm({ fields, filter, question, now, onDone }: FilterFormProps) {
  const [key, setKey] = useState(filter?.field ?? fields[1]?.key ?? 'level')
  const [wanted, setWanted] = useState<FilterOp>(filter?.op ?? 'is')
  const [value, setValue] = useState(() => filter?.values.join(', ') ?? '')
  const field = fieldIn(fields, key)
  const { type } = field
  const ops = opsFor(type)
  const op = ops.includes(wanted) ? wanted : 'is'
  const takesSeveral = op === 'is' || op === 'is_not'
  const typed = (takesSeveral ? value.split(',') : [value]).map((one) => one.trim()).filter(Boolean)
  const values = type === 'number' ? typed.map(Number) : typed
  const isWrong = type === 'number' && values.some((one) => Number.isNaN(Number(one)))
  function choose(one: string) {
    const others = typed.filter((other) => other !== one)
    const next = typed.includes(one) ? others : [...others, one]
    setValue(takesSeveral ? next.join(', ') : one)
  }
  function submit() {
    if (values.length > 0 && !isWrong) onDone({ field: key, op, values: values.slice(0, 20) })
  }
  return (
    <Form
      className="log-filter-form form-stack"
      error={undefined}
      pending={false}
      onSubmit={submit}
    >
      <SelectField
        label="Field"
        options={fields.map((field) => ({
          value: field.key,
          label: field.name,
          detail: field.path,
        }))}
        value={key}
        onChange={setKey}
      />
      <SelectField
        label="Condition"
        options={ops.map((one) => ({ value: one, label: opNames[one] }))}
        value={op}
        onChange={setWanted}
      />
      <TextField
        label="Value"
        mono
        autoComplete="off"
        maxLength={500}
        inputMode={type === 'number' ? 'decimal' : 'text'}
        help={takesSeveral ? 'Several values with commas between them' : undefined}
        error={isWrong ? 'This field holds numbers' : undefined}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
      <CommonValues {...{ question, now, field }} chosen={typed} onChoose={choose} />
      <Button type="submit" size="form" variant="primary" disabled={typed.length === 0 || isWrong}>
        Filter
      </Button>
    </Form>
  )
}
