import { Play } from 'lucide-react'
import { useState } from 'react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { NewCell } from '#contract/database/rows/table-rows'
import { Button } from '../../../ui/controls/Button.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { TextArea } from '../../../ui/controls/TextArea.tsx'
import { jsonOf, valuesFrom } from './rls-values.ts'
import { RlsValueField } from './RlsValueField.tsx'

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
