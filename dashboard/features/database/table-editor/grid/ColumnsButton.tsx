import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { TableLayout } from '#contract/database/table-views'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { Popover } from '../../../../ui/floats/Popover.tsx'
import { SearchField } from '../../../../ui/controls/SearchField.tsx'
import { plainLayout, withHidden } from './layout.ts'

type Props = {
  entity: EntityDetail
  layout: TableLayout
  onLayout: (layout: TableLayout) => void
}

/** Which columns are shown; how wide and in which order is done in the grid itself. */
export function ColumnsButton({ entity, layout, onLayout }: Props) {
  const [typed, setTyped] = useState('')
  const hidden = new Set(layout.hidden)
  const count = entity.columns.filter(({ name }) => hidden.has(name)).length
  const found = entity.columns.filter(({ name }) =>
    name.toLowerCase().includes(typed.trim().toLowerCase()),
  )
  return (
    <Popover
      label="Columns"
      align="end"
      trigger={
        <Button
          variant="ghost"
          icon={Columns3}
          aria-label={count > 0 ? `Columns, ${count} hidden` : 'Columns'}
        >
          {count > 0 ? `${count} hidden` : ''}
        </Button>
      }
    >
      <div className="views">
        <SearchField label="Find a column" value={typed} onChange={setTyped} width={240} />
        <ul className="view-list scroll">
          {found.map(({ id, name }) => (
            <li key={id}>
              <Checkbox
                label={<span className="mono t12">{name}</span>}
                checked={!hidden.has(name)}
                onChange={(event) => onLayout(withHidden(layout, name, !event.target.checked))}
              />
            </li>
          ))}
        </ul>
        <Button onClick={() => onLayout(plainLayout)}>Reset columns</Button>
      </div>
    </Popover>
  )
}
