import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import { useState } from 'react'
import type { EntityColumn } from '#contract/database/pg-meta-shapes'
import type { RowSort } from '#contract/database/rows/table-rows'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { OptionList } from '../../../../ui/lists/OptionList.tsx'
import { Popover } from '../../../../ui/floats/Popover.tsx'
import { nextSort } from '../search.ts'

type Props = {
  columns: readonly EntityColumn[]
  sort: readonly RowSort[]
  onSort: (sort: RowSort[]) => void
}

/** The order of the rows. Choosing a column again turns it round, and a third time lets go of it. */
export function SortButton({ columns, sort, onSort }: Props) {
  const [open, setOpen] = useState(false)
  const [first] = sort
  return (
    <Popover
      label="Sort"
      align="end"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="ghost" icon={first ? directionIcon(first) : ArrowUpDown}>
          <span className="words ell">{first ? first.column : 'Sort'}</span>
        </Button>
      }
    >
      <OptionList
        label="Sort by"
        search="Find a column"
        options={columns.flatMap(({ name }) => {
          const now = sort.find((part) => part.column === name)
          return {
            value: name,
            label: name,
            ...(now ? { end: <Icon of={directionIcon(now)} size="s" />, detail: words(now) } : {}),
          }
        })}
        value={first?.column}
        onSelect={(column) => onSort(nextSort(sort, column))}
      />
    </Popover>
  )
}

const directionIcon = ({ direction }: RowSort) => (direction === 'asc' ? ArrowUp : ArrowDown)
const words = ({ direction }: RowSort) => (direction === 'asc' ? 'ascending' : 'descending')
