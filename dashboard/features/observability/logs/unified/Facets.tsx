import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { cx } from '../../../../ui/cx.ts'
import { numberText } from '../../../../ui/text/number.ts'
import type { FacetsProps } from '../FiltersButton.tsx'
import { allFacetsQuery } from '../queries.ts'
import { nameOf } from '../QuickFilters.tsx'
import {
  facetFields,
  valuesOf,
  withoutField,
  withValue,
  type FacetField,
  type FacetValue,
} from './facet-fields.ts'

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
