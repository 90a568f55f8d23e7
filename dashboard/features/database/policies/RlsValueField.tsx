import { useState } from 'react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { NewCell } from '#contract/database/rows/table-rows'
import { Select } from '../../../ui/controls/Select.tsx'
import { lockOf, type TestedCommand } from './rls-values.ts'

type Props = {
  column: EntityDetail['columns'][number]
  command: TestedCommand
  /** undefined leaves the column out. */
  value: NewCell | undefined
  onValue: (value: NewCell | undefined) => void
}

const kindOf = (value: NewCell | undefined) =>
  value === undefined ? 'out' : value === null ? 'null' : 'value'

/** One column of a row that is tried: left out, NULL, or a value. Writing a value chooses it. */
export function RlsValueField({ column, command, value, onValue }: Props) {
  const { name, format, enums, default_value, is_identity } = column
  const hasDefault = is_identity || default_value !== null
  // Kept while NULL is chosen, so that trying that costs nobody what they wrote.
  const [text, setText] = useState(typeof value === 'string' ? value : '')
  const locked = lockOf(column, command)
  const out = command === 'UPDATE' ? 'Unchanged' : hasDefault ? 'Default' : 'NULL'
  const choices = format === 'bool' ? ['true', 'false'] : enums
  const write = (next: string) => {
    setText(next)
    onValue(next)
  }
  const hint =
    locked ??
    (command === 'INSERT'
      ? (default_value ?? (is_identity ? 'the next number' : 'NULL'))
      : 'as it is')
  return (
    <div className="rls-field">
      <span className="rls-field-name">
        <span className="mono ell">{name}</span>
        <span className="faint mono t12 ell">{format}</span>
      </span>
      {choices.length > 0 && !locked ? (
        <Select
          label={`Value of ${name}`}
          options={choices.map((choice) => ({ value: choice, label: choice }))}
          value={typeof value === 'string' ? value : undefined}
          placeholder={hint}
          onChange={write}
        />
      ) : (
        <div className="in f mono" aria-disabled={locked ? true : undefined}>
          <input
            aria-label={`Value of ${name}`}
            autoComplete="off"
            disabled={locked !== undefined}
            placeholder={hint}
            value={value === null || value === undefined ? '' : text}
            onChange={(event) => write(event.target.value)}
          />
        </div>
      )}
      <Select
        label={`What ${name} gets`}
        options={[
          { value: 'out', label: out },
          ...(out === 'NULL' || locked ? [] : [{ value: 'null', label: 'NULL' }]),
          ...(locked ? [] : [{ value: 'value', label: 'Value' }]),
        ]}
        value={kindOf(value)}
        onChange={(kind) => onValue(kind === 'out' ? undefined : kind === 'null' ? null : text)}
      />
    </div>
  )
}
