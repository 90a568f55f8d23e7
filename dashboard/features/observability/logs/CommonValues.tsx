import { useQuery } from '@tanstack/react-query'
import type { LogFacets } from '#contract/observability/logs'
import { numberText } from '../../../ui/text/number.ts'
import { facetsQuery } from './queries.ts'
import type { Question } from './question.ts'
import { nameOf } from './QuickFilters.tsx'
import type { LogFieldInfo } from './sources.ts'

type Props = {
  question: Question
  now: number
  field: LogFieldInfo
  chosen: readonly string[]
  onChoose: (value: string) => void
}

/** The values of a field that occur most often in the time range, to choose from instead of typing. */
export function CommonValues({ question, now, field, chosen, onChoose }: Props) {
  const { data } = useQuery({
    ...facetsQuery(question, now, field.key),
    enabled: suggested.isFor(field),
  })
  const values = suggested.of(data?.[field.key])
  if (values.length === 0) return null
  return (
    <fieldset className="log-common" aria-label="Suggestions">
      <span className="t12 muted">Most common in this time range</span>
      {values.map(({ value, count }) => (
        <button
          key={value}
          type="button"
          aria-pressed={chosen.includes(value)}
          onClick={() => onChoose(value)}
        >
          <span className="ell" title={nameOf(field.key, value)}>
            {nameOf(field.key, value)}
          </span>
          <span className="faint num">{numberText(count)}</span>
        </button>
      ))}
    </fieldset>
  )
}

/** Every entry has another one, or nearly: the most common ones say nothing. */
const unlike = new Set(['request_id', 'execution_id', 'search'])
/** Numbers that stand for kinds of things, and are not measured. */
const kinds = new Set(['status'])
/** As many as one looks through at a glance. */
const most = 8

/** Which values of a field are suggested to who filters by it. */
export const suggested = {
  isFor: ({ key, type }: Pick<LogFieldInfo, 'key' | 'type'>): boolean =>
    !unlike.has(key) && (type !== 'number' || kinds.has(key)),
  /** Without those that cannot be typed: commas stand between values, and spaces around them are no part of one. */
  of: (counted: LogFacets[string] | undefined): { value: string; count: number }[] =>
    (counted ?? [])
      .map(({ value, count }) => ({ value: String(value), count }))
      .filter(({ value }) => value !== '' && value.trim() === value && !value.includes(','))
      .slice(0, most),
}
