import { Play } from 'lucide-react'
import { useState } from 'react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { NewCell } from '#contract/database/rows/table-rows'
import { Button } from '../../../ui/controls/Button.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { TextArea } from '../../../ui/controls/TextField.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { jsonOf, valuesFrom, lockOf, type TestedCommand } from './rls-tester.ts'

type Values = Record<string, NewCell>
type Props = {
  command: 'INSERT' | 'UPDATE'
  columns: EntityDetail['columns']
  /** What was tried last. */
  tried: Values
  onValues: (values: Values) => void
}

const ways = [
  { value: 'form', label: 'Fields' },
  { value: 'json', label: 'JSON' },
] as const

/** The row that an INSERT brings, or what an UPDATE sets: by column, or as JSON. */
export function RlsValues({ command, columns, tried, onValues }: Props) {
  const [way, setWay] = useState<'form' | 'json'>('form')
  const [values, setValues] = useState<Values>({})
  const [text, setText] = useState('')
  const typed = valuesFrom(text)
  const unknown = Object.keys(typed ?? {}).find(
    (name) => columns.length > 0 && !columns.some((column) => column.name === name),
  )
  const problem =
    way === 'form'
      ? undefined
      : typed === undefined
        ? 'A row is a JSON object'
        : unknown !== undefined
          ? `The table has no column ${unknown}`
          : undefined
  const chosen = way === 'form' ? values : typed
  // What stands below is of the row before: the button says so.
  const isNew = jsonOf(chosen ?? {}) !== jsonOf(tried)

  /** What was filled in one way is there in the other. */
  function turn(next: 'form' | 'json') {
    if (next === 'json') setText(jsonOf(values))
    else if (typed && !problem) setValues(typed)
    setWay(next)
  }

  return (
    <Form
      className="rls-values"
      error={undefined}
      pending={false}
      onSubmit={() => chosen && !problem && onValues(chosen)}
    >
      <div className="row">
        <h3 className="section-title grow">
          {command === 'INSERT' ? 'The row to add' : 'What is set'}
        </h3>
        <Segmented label="How it is written" options={ways} value={way} onChange={turn} />
      </div>
      {way === 'form' ? (
        <div className="rls-fields">
          {columns.map((column) => (
            <RlsValueField
              key={column.id}
              column={column}
              command={command}
              value={values[column.name]}
              onValue={(value) =>
                setValues((before) => {
                  const { [column.name]: _, ...others } = before
                  return value === undefined ? others : { ...others, [column.name]: value }
                })
              }
            />
          ))}
        </div>
      ) : (
        <TextArea
          label={command === 'INSERT' ? 'The row to add, as JSON' : 'What is set, as JSON'}
          mono
          rows={5}
          spellCheck={false}
          placeholder={`{"${columns[1]?.name ?? columns[0]?.name ?? 'column'}": "value"}`}
          help={
            command === 'INSERT'
              ? 'By column. Omitted columns get their default.'
              : 'By column; tested on each row. Leave empty to keep rows unchanged.'
          }
          error={problem}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <div>
        <Button
          type="submit"
          icon={Play}
          variant={isNew ? 'primary' : 'secondary'}
          disabled={problem !== undefined}
        >
          Try it
        </Button>
      </div>
    </Form>
  )
}

type RlsValueFieldProps = {
  column: EntityDetail['columns'][number]
  command: TestedCommand
  /** undefined leaves the column out. */
  value: NewCell | undefined
  onValue: (value: NewCell | undefined) => void
}

const kindOf = (value: NewCell | undefined) =>
  value === undefined ? 'out' : value === null ? 'null' : 'value'

/** One column of a row that is tried: left out, NULL, or a value. Writing a value chooses it. */
function RlsValueField({ column, command, value, onValue }: RlsValueFieldProps) {
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
