import { useState } from 'react'
import type { Column } from '#contract/pg-meta-shapes'
import { filterOperators, type FilterOperator, type RowFilter } from '#contract/table-rows'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/Form.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { typeLabel } from './grid-columns.ts'
import { operatorWords } from './operators.ts'

type Props = {
  columns: readonly Column[]
  /** The one to be changed. */
  filter?: RowFilter
  onDone: (filter: RowFilter) => void
}

export function FilterForm({ columns, filter, onDone }: Props) {
  const [column, setColumn] = useState(filter?.column ?? columns[0]?.name ?? '')
  const [operator, setOperator] = useState<FilterOperator>(filter?.operator ?? '=')
  const [value, setValue] = useState(filter?.value ?? '')
  return (
    <Form
      className="filter-form form-stack"
      error={undefined}
      pending={false}
      onSubmit={() =>
        column && onDone({ column, operator, value: operator === 'is' && !value ? 'null' : value })
      }
    >
      <SelectField
        label="Column"
        options={columns.map((one) => ({
          value: one.name,
          label: one.name,
          detail: typeLabel(one),
        }))}
        value={column}
        onChange={setColumn}
      />
      <SelectField
        label="Operator"
        options={filterOperators.map((one) => ({
          value: one,
          label: one,
          detail: operatorWords[one],
        }))}
        value={operator}
        onChange={setOperator}
      />
      <TextField
        label="Value"
        mono
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened to be typed in
        autoFocus
        placeholder={operator === 'is' ? 'null' : ''}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
      <Button type="submit" size="form" variant="primary">
        Filter
      </Button>
    </Form>
  )
}
