import { changeName, type Change } from '../change.ts'
import { columnSql, commentSql } from './column-sql.ts'
import { ident, qualified } from '../sql-text.ts'
import type { ColumnShape } from './table-shape.ts'

type Table = { schema: string; name: string }

/** One more column; with `key` the table's primary key, which it must not have yet. */
export function addColumn({ schema, name }: Table, column: ColumnShape, key = false): Change {
  const on = qualified(schema, name)
  const added = columnSql({ ...column, unique: column.unique && !key }, { constraints: true })
  return {
    name: changeName('add column', column.name, 'to', name),
    statements: [
      `alter table ${on} add column ${added}${key ? ' primary key' : ''}`,
      ...(column.comment ? [commentSql(`column ${on}.${ident(column.name)}`, column.comment)] : []),
    ],
    inverse: [`alter table ${on} drop column ${ident(column.name)}`],
  }
}

/** Constraints by their names; what they were is not known here, so there is no way back. */
export const dropConstraints = (
  { schema, name }: Table,
  constraints: readonly string[],
): Change => ({
  name: changeName('drop constraints of', name),
  statements: constraints.map(
    (constraint) => `alter table ${qualified(schema, name)} drop constraint ${ident(constraint)}`,
  ),
})
