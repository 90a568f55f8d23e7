import { cx } from '../cx.ts'
import { Skeleton } from '../Skeleton.tsx'
import type { Column } from './Table.tsx'

// Bars of differing width look like text; the same every time, so that nothing flickers.
const widths = [128, 84, 112, 96]

export function TableSkeleton<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return widths.map((width) => (
    <tr key={width}>
      {columns.map((column, index) => (
        <td key={column.id} className={cx(column.numeric && 'num', column.wideOnly && 'wide-only')}>
          <Skeleton width={index === 0 ? width : 48} />
        </td>
      ))}
    </tr>
  ))
}
