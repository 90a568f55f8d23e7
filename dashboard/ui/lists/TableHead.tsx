import { ArrowDown, ArrowUp } from 'lucide-react'
import { cx } from '../cx.ts'
import { Icon } from '../Icon.tsx'
import type { Column } from './Table.tsx'
import type { Order } from './table-order.ts'

type Props<Row> = {
  columns: readonly Column<Row>[]
  order: Order | undefined
  onOrder: (column: string) => void
}

export function TableHead<Row>({ columns, order, onOrder }: Props<Row>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const mine = order?.column === column.id ? order : undefined
          return (
            <th
              key={column.id}
              scope="col"
              className={cx(column.numeric && 'num', column.wideOnly && 'wide-only')}
              style={column.width ? { width: column.width } : undefined}
              aria-sort={mine ? (mine.descending ? 'descending' : 'ascending') : undefined}
            >
              {column.headCell ? (
                column.headCell
              ) : column.sortBy ? (
                <button type="button" onClick={() => onOrder(column.id)}>
                  {column.head}
                  {mine && <Icon of={mine.descending ? ArrowDown : ArrowUp} size="xs" />}
                </button>
              ) : (
                <span className={column.hideHead ? 'sr' : undefined}>{column.head}</span>
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
