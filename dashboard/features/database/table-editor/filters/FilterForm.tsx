import { useState } from 'react'
import type { EntityColumn } from '#contract/database/pg-meta-shapes'
import type { RowFilter, ConditionFilter } from '#contract/database/rows/table-rows'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Form } from '../../../../ui/controls/Form.tsx'
import { TextArea } from '../../../../ui/controls/TextArea.tsx'
import { ColumnFilterForm } from './ColumnFilterForm.tsx'

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
