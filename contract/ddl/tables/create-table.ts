import { changeName, type Change } from '../change.ts'
import { columnSql, commentSql } from './column-sql.ts'
import { foreignKeySql } from './foreign-keys.ts'
import { ident, qualified } from '../sql-text.ts'
import { accessStatements, markStatements, rlsSql } from './table-access.ts'
import type { RoleAccess, TableShape } from './table-shape.ts'

/**
 * A new table with everything about it. `given` is what the schema's default privileges give new tables; only what is
 * wanted otherwise becomes GRANT and REVOKE. Constraints are named by the server, which knows what is taken.
 */
export function createTable(table: TableShape, given: readonly RoleAccess[]): Change {
  const on = qualified(table.schema, table.name)
  const key = table.primary_key.columns
  // A key of one column makes it unique; saying so again would make a second index.
  const alone = key.length === 1 ? key[0] : undefined
  const parts = table.columns.map((column) =>
    columnSql({ ...column, unique: column.unique && column.name !== alone }, { constraints: true }),
  )
  if (key.length > 0) parts.push(`primary key (${key.map(ident).join(', ')})`)
  for (const one of table.foreign_keys) parts.push(foreignKeySql(one, { named: one.name !== '' }))
  const body = parts.map((part) => `\n  ${part}`).join(',')
  const comments = table.columns
    .filter(({ comment }) => comment !== null && comment !== '')
    .map(({ name, comment }) => commentSql(`column ${on}.${ident(name)}`, comment))
  return {
    name: changeName('create table', table.name),
    statements: [
      `create table ${on} (${body}${parts.length > 0 ? '\n' : ''})`,
      // A project can say that every new table is secured; what the form shows is what happens.
      ...(table.rls ? [] : [rlsSql(on, false)]),
      ...markStatements(on, { comment: null, rls: false, realtime: false }, table),
      ...comments,
      ...accessStatements(on, given, table.access),
    ],
    inverse: [`drop table ${on}`],
  }
}
