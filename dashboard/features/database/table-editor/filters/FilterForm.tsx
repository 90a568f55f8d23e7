import { useState } from 'react'
import type { EntityColumn } from '#contract/database/pg-meta-shapes'
import type {
  RowFilter,
  ConditionFilter,
  ColumnFilter,
  FilterOperator,
} from '#contract/database/rows/table-rows'
import { joinValues, splitValues } from '#contract/database/rows/filter-values'
import { readJsonPath } from '#contract/database/rows/json-path'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Form } from '../../../../ui/controls/Form.tsx'
import { SelectField } from '../../../../ui/controls/Select.tsx'
import { TextField, TextArea } from '../../../../ui/controls/TextField.tsx'
import { typeLabel } from '../grid/grid-columns.ts'
import { exampleOf, isDocument, operatorsFor, operatorWords } from './operators.ts'

type Props = {
  columns: readonly EntityColumn[]
  /** The one to be changed. */
  filter?: RowFilter
  onDone: (filter: RowFilter) => void
}

/** A condition by a column, or in SQL. */
export function FilterForm({ columns, filter, onDone }: Props) {
  const [way, setWay] = useState<'column' | 'sql'>(
    filter && 'condition' in filter ? 'sql' : 'column',
  )
  return (
    <div className="filter-form form-stack">
      <Segmented
        label="How the rows are chosen"
        options={[
          { value: 'column', label: 'By column' },
          { value: 'sql', label: 'By SQL' },
        ]}
        value={way}
        onChange={setWay}
      />
      {way === 'sql' ? (
        <ConditionForm
          condition={filter && 'condition' in filter ? filter.condition : ''}
          onDone={onDone}
        />
      ) : (
        <ColumnFilterForm
          columns={columns}
          filter={filter && 'condition' in filter ? undefined : filter}
          onDone={onDone}
        />
      )}
    </div>
  )
}

type ConditionFormProps = { condition: string; onDone: (filter: ConditionFilter) => void }

/** A condition on the row in SQL. */
function ConditionForm({ condition, onDone }: ConditionFormProps) {
  const [text, setText] = useState(condition)
  return (
    <Form
      className="form-stack"
      error={undefined}
      pending={false}
      onSubmit={() => text.trim() && onDone({ condition: text.trim() })}
    >
      <TextArea
        label="SQL condition"
        mono
        rows={4}
        spellCheck={false}
        maxLength={10_000}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened to be typed in
        autoFocus
        placeholder="price > cost * 2"
        help="An expression that is true for the rows to show. It runs with your rights."
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }
        }}
      />
      <Button type="submit" size="form" variant="primary" disabled={!text.trim()}>
        Filter
      </Button>
    </Form>
  )
}

type ColumnFilterFormProps = {
  columns: readonly EntityColumn[]
  filter: ColumnFilter | undefined
  onDone: (filter: ColumnFilter) => void
}

/** A column, or a part of its documents, compared with what somebody types. */
function ColumnFilterForm({ columns, filter, onDone }: ColumnFilterFormProps) {
  const [name, setName] = useState(filter?.column ?? columns[0]?.name ?? '')
  const [typedPath, setPath] = useState(filter?.path ?? '')
  const [requested, setOperator] = useState<FilterOperator>(filter?.operator ?? '=')
  const [value, setValue] = useState(filter?.value ?? '')
  const [ends, setEnds] = useState(() => endsOf(filter))
  const column = columns.find((one) => one.name === name)
  const path = column && isDocument(column) && typedPath.trim() ? typedPath.trim() : undefined
  const wrongPath = path !== undefined && readJsonPath(path) === undefined
  const offered = column ? operatorsFor(column, path !== undefined) : []
  // One that came by the address stays, though it is not offered.
  const kept = filter?.column === name && filter.path === path ? [filter.operator] : []
  const operators = [...new Set([...offered, ...kept])]
  const operator = operators.includes(requested) ? requested : (operators[0] ?? '=')

  function submit() {
    if (!column || wrongPath) return
    const part = path === undefined ? {} : { path }
    onDone({ column: name, ...part, operator, value: valueOf(operator, value, ends) })
  }
  return (
    <Form className="form-stack" error={undefined} pending={false} onSubmit={submit}>
      <SelectField
        label="Column"
        options={columns.map((one) => ({
          value: one.name,
          label: one.name,
          detail: typeLabel(one),
        }))}
        value={name}
        onChange={setName}
      />
      {column && isDocument(column) && (
        <TextField
          label="JSON path"
          mono
          autoComplete="off"
          maxLength={1000}
          placeholder="address.lines[0]"
          help="What it leads to is compared as text. Leave it empty for the whole document."
          error={wrongPath ? 'Write keys and places as in address.lines[0]' : undefined}
          value={typedPath}
          onChange={(event) => setPath(event.target.value)}
        />
      )}
      <SelectField
        label="Operator"
        options={operators.map((one) => ({
          value: one,
          label: one,
          detail: operatorWords[one],
        }))}
        value={operator}
        onChange={setOperator}
      />
      {operator === 'between' ? (
        <div className="row filter-ends">
          {(['From', 'To'] as const).map((label, at) => (
            <TextField
              key={label}
              label={label}
              mono
              autoComplete="off"
              value={ends[at] ?? ''}
              onChange={(event) => setEnds(ends.with(at, event.target.value))}
            />
          ))}
        </div>
      ) : (
        operator !== 'exists' && (
          <TextField
            label="Value"
            mono
            autoComplete="off"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened to be typed in
            autoFocus
            placeholder={exampleOf(operator, column)}
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
        )
      )}
      <Button type="submit" size="form" variant="primary" disabled={wrongPath}>
        Filter
      </Button>
    </Form>
  )
}

function endsOf(filter: ColumnFilter | undefined): string[] {
  const [from = '', to = ''] =
    filter?.operator === 'between' ? (splitValues(filter.value) ?? []) : []
  return [from, to]
}

function valueOf(operator: FilterOperator, value: string, ends: readonly string[]): string {
  if (operator === 'between') return joinValues(ends)
  if (operator === 'exists') return ''
  return operator === 'is' && !value ? 'null' : value
}
