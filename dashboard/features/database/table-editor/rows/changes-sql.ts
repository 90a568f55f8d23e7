import { ident, qualified, quoteLiteral } from '#contract/ddl/sql-text'
import type { NewCell, RowChange } from '#contract/database/rows/table-rows'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { lockedBecause, typedCell } from '../grid/grid-columns.ts'
import type { TableModel } from '../table-model.ts'

type Table = { schema: string; name: string }

const isDefault = (value: NewCell) => typeof value === 'object' && value !== null
const valueSql = (value: NewCell): string =>
  value === null ? 'null' : typeof value === 'string' ? quoteLiteral(value).trim() : 'default'

const whereSql = (key: Readonly<Record<string, string>>) =>
  Object.entries(key)
    .map(([name, value]) => `${ident(name)} = ${valueSql(value)}`)
    .join(' and ')

/** A change of a row as one would write it. The server runs the same with parameters, and looks whether the row has changed. */
function changeSql({ schema, name }: Table, change: RowChange): string {
  const table = qualified(schema, name)
  switch (change.kind) {
    case 'insert': {
      const given = Object.entries(change.values).filter(([, value]) => !isDefault(value))
      if (given.length === 0) return `insert into ${table} default values;`
      const columns = given.map(([column]) => ident(column)).join(', ')
      const values = given.map(([, value]) => valueSql(value)).join(', ')
      return `insert into ${table} (${columns})\nvalues (${values});`
    }
    case 'update': {
      const sets = Object.entries(change.set).map(
        ([column, { to }]) => `${ident(column)} = ${valueSql(to)}`,
      )
      return `update ${table}\nset ${sets.join(', ')}\nwhere ${whereSql(change.key)};`
    }
    case 'delete':
      return `delete from ${table}\nwhere ${whereSql(change.key)};`
  }
}

/** All of them, in the one transaction in which they run. */
export const changesSql = (table: Table, changes: readonly RowChange[]) =>
  ['begin;', ...changes.map((change) => changeSql(table, change)), 'commit;'].join('\n\n')

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
