import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { logLevels } from '#contract/observability/log-sources'
import type { LogFacets, LogFilter } from '#contract/observability/logs'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { cx } from '../../../../ui/cx.ts'
import { numberText } from '../../../../ui/text/number.ts'
import { allFacetsQuery } from '../queries.ts'
import { valuesIn, withValues } from '../quick-filters.ts'
import { nameOf, type FacetsProps } from '../QuickFilters.tsx'

/** The fields whose values are counted beside the list of all sources, in their order. */
export const facetFields = [
  { field: 'level', label: 'Level' },
  { field: 'source', label: 'Source' },
  { field: 'status', label: 'Status' },
  { field: 'method', label: 'Method' },
  { field: 'path', label: 'Path' },
  { field: 'host', label: 'Host' },
] as const
export type FacetField = (typeof facetFields)[number]

type FacetValue = {
  value: string
  /** Undefined until it is known. */
  count: number | undefined
  isChosen: boolean
}

const quick = ({ field, label }: FacetField) =>
  ({ kind: 'values', field, label, values: [] }) as const

/** The most frequent values of a field, and those that are chosen whether they occur or not. Levels by how bad they are. */
export function valuesOf(
  facet: FacetField,
  facets: LogFacets | undefined,
  filters: readonly LogFilter[],
): FacetValue[] {
  const chosen = valuesIn(quick(facet), filters)
  const counts = new Map(
    facets?.[facet.field]?.map(({ value, count }) => [String(value), count] as const),
  )
  const all = [...new Set([...counts.keys(), ...chosen])]
  const order = (value: string) => -logLevels.findIndex((level) => level === value)
  const sorted = facet.field === 'level' ? all.toSorted((a, b) => order(a) - order(b)) : all
  return sorted.map((value) => ({
    value,
    count: facets ? (counts.get(value) ?? 0) : undefined,
    isChosen: chosen.includes(value),
  }))
}

/** As many values of one field as a filter takes. */
export const mostChosen = 20

/** The filters with a value of a field chosen, or not any more. */
export function withValue(
  facet: FacetField,
  filters: readonly LogFilter[],
  value: string,
  isChosen: boolean,
): LogFilter[] {
  const others = valuesIn(quick(facet), filters).filter((one) => one !== value)
  return withValues(
    quick(facet),
    filters,
    isChosen ? [...others, value].slice(-mostChosen) : others,
  )
}

/** The filters with nothing chosen of a field. */
export const withoutField = (facet: FacetField, filters: readonly LogFilter[]): LogFilter[] =>
  withValues(quick(facet), filters, [])

const fields = facetFields.map(({ field }) => field)
/** Values of a field that are shown before somebody asks for more. */
const few = 8

/** How often the values of some fields occur, and which of them are asked for. One question for all of them. */
export function Facets({ question, now, enabled, filters, onFilters }: FacetsProps) {
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...allFacetsQuery(question, now, fields),
    enabled,
  })
  if (error && !data)
    return (
      <div className="log-facets-failed" role="alert">
        <p>Could not count values. {error.message}</p>
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    )
  return (
    <div className={cx('log-facet-list', isPlaceholderData && 'is-stale')} aria-busy={!data}>
      {facetFields.map((facet) => (
        <Facet
          key={facet.field}
          facet={facet}
          values={valuesOf(facet, data, filters)}
          onChoose={(value, isChosen) => onFilters(withValue(facet, filters, value, isChosen))}
          onClear={() => onFilters(withoutField(facet, filters))}
        />
      ))}
    </div>
  )
}

type FacetProps = {
  facet: FacetField
  values: readonly FacetValue[]
  onChoose: (value: string, isChosen: boolean) => void
  onClear: () => void
}

function Facet({ facet: { field, label }, values, onChoose, onClear }: FacetProps) {
  const [isLong, setLong] = useState(false)
  const shown = isLong ? values : values.filter(({ isChosen }, at) => at < few || isChosen)
  if (values.length === 0) return null
  return (
    <fieldset className="log-facet" aria-label={label}>
      <div className="log-facet-head">
        <span className="med">{label}</span>
        {values.some(({ isChosen }) => isChosen) && (
          <Button variant="ghost" aria-label={`Clear ${label.toLowerCase()}`} onClick={onClear}>
            Clear
          </Button>
        )}
      </div>
      {shown.map(({ value, count, isChosen }) => (
        <div key={value} className="log-facet-value">
          <Checkbox
            label={<span title={nameOf(field, value)}>{nameOf(field, value)}</span>}
            checked={isChosen}
            onChange={({ target }) => onChoose(value, target.checked)}
          />
          <span className="muted num">{count !== undefined && numberText(count)}</span>
        </div>
      ))}
      {values.length > few && (
        <Button variant="ghost" aria-expanded={isLong} onClick={() => setLong(!isLong)}>
          {isLong ? 'Show fewer' : `Show all ${values.length}`}
        </Button>
      )}
    </fieldset>
  )
}
