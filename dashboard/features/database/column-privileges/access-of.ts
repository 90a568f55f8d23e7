import type { ColumnPrivileges, TablePrivileges } from '#contract/database/database-privileges'
import { columnPrivileges, type ColumnAccess, type ColumnPrivilege } from '#contract/ddl/privileges'

type Held = TablePrivileges['privileges']

const heldBy = (privileges: Held, role: string): ColumnPrivilege[] =>
  columnPrivileges.filter((one) =>
    privileges.some(({ grantee, privilege_type }) => grantee === role && privilege_type === one),
  )

/** What a role holds by itself. A column's list names what the table gives it too; that is taken out again. */
export function accessOf(
  role: string,
  table: TablePrivileges,
  columns: readonly ColumnPrivileges[],
): ColumnAccess {
  const whole = heldBy(table.privileges, role)
  const single = columns.map(({ column_name, privileges }): [string, ColumnPrivilege[]] => [
    column_name,
    heldBy(privileges, role).filter((one) => !whole.includes(one)),
  ])
  return { table: whole, columns: Object.fromEntries(single.filter(([, held]) => held.length > 0)) }
}

/** What everybody holds, and so this role too, whatever is taken from it. */
export const everybody = 'PUBLIC'
