import { useState } from 'react'
import type { EntityColumn } from '#contract/database/pg-meta-shapes'
import type { RowFilter } from '#contract/database/rows/table-rows'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { ColumnFilterForm } from './ColumnFilterForm.tsx'
import { ConditionForm } from './ConditionForm.tsx'

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
