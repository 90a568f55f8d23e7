import { logLevels } from '#contract/observability/log-sources'
import type { LogFacets, LogFilter } from '#contract/observability/logs'
import { valuesIn, withValues } from '../quick-filters.ts'

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

export type FacetValue = {
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
