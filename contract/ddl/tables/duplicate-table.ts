import { changeName, type Change } from '../change.ts'
import { commentSql } from './column-sql.ts'
import { foreignKeySql } from './foreign-keys.ts'
import { ident, qualified, quoteLiteral } from '../sql-text.ts'
import { accessStatements, rlsSql } from './table-access.ts'
import type { RoleAccess, TableShape } from './table-shape.ts'

type Desired = {
  name: string
  comment: string | null
  withRows: boolean
  /** What the schema gives new tables. */
  given: readonly RoleAccess[]
}

/**
 * A copy beside the original: columns, defaults, constraints, indexes, foreign keys, rights and, when asked, rows. A
 * copy that was secured stays secured; policies and triggers speak of the original and are not copied.
 */
export function duplicateTable(table: TableShape, desired: Desired): Change {
  const from = qualified(table.schema, table.name)
  const on = qualified(table.schema, desired.name)
  const self = (schema: string, name: string) => schema === table.schema && name === table.name
  const keys = table.foreign_keys.map((key) => {
    const copied = self(key.target_schema, key.target_table)
      ? { ...key, target_table: desired.name }
      : key
    return `alter table ${on} add ${foreignKeySql(copied, { named: false })}`
  })
  const copied = table.columns.filter(({ generated }) => generated === null)
  const names = copied.map(({ name }) => ident(name)).join(', ')
  const rows =
    copied.length > 0
      ? [
          `insert into ${on} (${names}) overriding system value\nselect ${names} from ${from}`,
          ...copied.filter(({ identity }) => identity !== null).map(({ name }) => goOn(on, name)),
        ]
      : []
  return {
    name: changeName('duplicate table', table.name, 'as', desired.name),
    statements: [
      `create table ${on} (like ${from} including all)`,
      ...(table.rls ? [rlsSql(on, true)] : []),
      ...(desired.comment === null ? [] : [commentSql(`table ${on}`, desired.comment)]),
      ...accessStatements(on, desired.given, table.access),
      ...(desired.withRows ? rows : []),
      ...keys,
    ],
    inverse: [`drop table ${on}`],
  }
}

/** An identity counts on where the copied rows end. */
function goOn(on: string, column: string): string {
  const sequence = `pg_get_serial_sequence(${quoteLiteral(on).trim()}, ${quoteLiteral(column).trim()})`
  return `select setval(${sequence}, coalesce((select max(${ident(column)}) from ${on}), 0) + 1, false)`
}
