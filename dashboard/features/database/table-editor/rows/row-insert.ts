import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { changeSql } from './changes-sql.ts'
import { lockedBecause, typedCell } from '../grid/grid-columns.ts'
import type { TableModel } from '../table-model.ts'

/** The statement that would make the row again; undefined when one of its values is not here whole. */
export function rowInsert(
  entity: EntityDetail,
  model: Pick<TableModel, 'cellAt'>,
  row: number,
): string | undefined {
  const cells = entity.columns.flatMap((column, at) => {
    const view = model.cellAt(row, at)
    // The database fills these in by itself, and takes no other values for them.
    if (lockedBecause(column) !== undefined || view.look === 'auto') return []
    return [{ column, view }]
  })
  if (cells.some(({ view }) => view.cut)) return undefined
  const values = Object.fromEntries(
    cells.map(({ column, view }) => [column.name, typedCell(column, view.text)]),
  )
  return changeSql(entity, { kind: 'insert', values })
}
