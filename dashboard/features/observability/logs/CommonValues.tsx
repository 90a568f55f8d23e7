import { useQuery } from '@tanstack/react-query'
import { numberText } from '../../../ui/text/number.ts'
import { facetsQuery } from './queries.ts'
import type { Question } from './question.ts'
import { nameOf } from './QuickFilters.tsx'
import { suggested } from './suggested.ts'
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
