import { changeName, type Change } from './change.ts'
import { ident, qualified } from './sql-text.ts'

export const columnPrivileges = ['SELECT', 'INSERT', 'UPDATE', 'REFERENCES'] as const
export type ColumnPrivilege = (typeof columnPrivileges)[number]

/** What one role may do with one table's columns. */
export type ColumnAccess = {
  /** Held for the table as a whole, and so for each of its columns, also for later ones. */
  table: readonly ColumnPrivilege[]
  /** Held for single columns, by their names. */
  columns: Readonly<Record<string, readonly ColumnPrivilege[]>>
}

type Of = { schema: string; table: string; role: string }

/**
 * GRANT and REVOKE from what a role may do to what it shall be able to; undefined when that is the same. Taking a
 * privilege away from a table takes it away from its columns too, so those that stay are granted again.
 */
export function changeColumnAccess(
  of: Of,
  before: ColumnAccess,
  after: ColumnAccess,
): Change | undefined {
  const statements = accessStatements(of, before, after)
  if (statements.length === 0) return undefined
  return {
    name: changeName('column privileges of', of.role, 'on', of.table),
    statements,
    inverse: accessStatements(of, after, before),
  }
}

function accessStatements(
  { schema, table, role }: Of,
  before: ColumnAccess,
  after: ColumnAccess,
): string[] {
  const on = `on table ${qualified(schema, table)}`
  const who = ident(role)
  const lost = columnPrivileges.filter((p) => before.table.includes(p) && !after.table.includes(p))
  const gained = columnPrivileges.filter(
    (p) => !before.table.includes(p) && after.table.includes(p),
  )
  const holds = (access: ColumnAccess, column: string, privilege: ColumnPrivilege) =>
    (Object.hasOwn(access.columns, column) ? (access.columns[column] ?? []) : []).includes(
      privilege,
    )
  const names = [...new Set([...Object.keys(before.columns), ...Object.keys(after.columns)])]
  const parts = (desired: (column: string, privilege: ColumnPrivilege) => boolean) =>
    columnPrivileges.flatMap((privilege) => {
      const of = names.filter((column) => desired(column, privilege))
      return of.length > 0 ? [`${privilege.toLowerCase()} (${of.map(ident).join(', ')})`] : []
    })
  const granted = parts(
    (column, p) => holds(after, column, p) && (!holds(before, column, p) || lost.includes(p)),
  )
  const revoked = parts(
    (column, p) => holds(before, column, p) && !holds(after, column, p) && !lost.includes(p),
  )
  const words = (list: readonly ColumnPrivilege[]) => list.join(', ').toLowerCase()
  return [
    ...(lost.length > 0 ? [`revoke ${words(lost)} ${on} from ${who}`] : []),
    ...(revoked.length > 0 ? [`revoke ${revoked.join(', ')} ${on} from ${who}`] : []),
    ...(gained.length > 0 ? [`grant ${words(gained)} ${on} to ${who}`] : []),
    ...(granted.length > 0 ? [`grant ${granted.join(', ')} ${on} to ${who}`] : []),
  ]
}

/** Of one column: what is said of it, or of the table, or of both. */
export const holdsOn = (
  { table, columns }: ColumnAccess,
  column: string,
  privilege: ColumnPrivilege,
): boolean =>
  table.includes(privilege) ||
  (Object.hasOwn(columns, column) ? (columns[column] ?? []) : []).includes(privilege)

/**
 * One column's privilege given or taken. Taken from a column of a table that is held as a whole, it becomes a privilege
 * of every other column instead.
 */
export function withColumn(
  access: ColumnAccess,
  all: readonly string[],
  column: string,
  privilege: ColumnPrivilege,
  on: boolean,
): ColumnAccess {
  const whole = access.table.includes(privilege)
  if (holdsOn(access, column, privilege) === on) return access
  const columns = all.map((name): [string, ColumnPrivilege[]] => {
    const held = columnPrivileges.filter((p) => {
      const own = Object.hasOwn(access.columns, name) ? (access.columns[name] ?? []) : []
      if (p !== privilege) return own.includes(p)
      return name === column ? on : whole || own.includes(p)
    })
    return [name, held]
  })
  return {
    table: access.table.filter((p) => p !== privilege),
    columns: Object.fromEntries(columns.filter(([, held]) => held.length > 0)),
  }
}

/** A privilege of the table as a whole given or taken; with it go the same ones of single columns. */
export function withTable(
  { table, columns }: ColumnAccess,
  privilege: ColumnPrivilege,
  on: boolean,
): ColumnAccess {
  const rest = Object.entries(columns)
    .map(([name, held]): [string, ColumnPrivilege[]] => [name, held.filter((p) => p !== privilege)])
    .filter(([, held]) => held.length > 0)
  const others = table.filter((p) => p !== privilege)
  return { table: on ? [...others, privilege] : others, columns: Object.fromEntries(rest) }
}

type Held = {
  /** As Postgres says it, or ALL. */
  privilege: string
  schema: string
  table: string
  /** Only of these; without them, of the table as a whole. */
  columns?: readonly string[]
  /** `public` and `PUBLIC` are everybody: no role has such a name. */
  grantee: string
}

const heldSql = ({ privilege, schema, table, columns = [] }: Held) =>
  `${privilege.toLowerCase()}${columns.length > 0 ? ` (${columns.map(ident).join(', ')})` : ''} on table ${qualified(schema, table)}`
const granteeSql = (name: string) => (/^public$|^PUBLIC$/.test(name) ? 'public' : ident(name))

/** One privilege given; with `grantable` it can be given on. */
export const grantPrivilege = (held: Held, grantable = false): Change => ({
  name: changeName('grant', held.privilege, 'on', held.table, 'to', held.grantee),
  statements: [
    `grant ${heldSql(held)} to ${granteeSql(held.grantee)}${grantable ? ' with grant option' : ''}`,
  ],
  inverse: [`revoke ${heldSql(held)} from ${granteeSql(held.grantee)}`],
})

export const revokePrivilege = (held: Held): Change => ({
  name: changeName('revoke', held.privilege, 'on', held.table, 'from', held.grantee),
  statements: [`revoke ${heldSql(held)} from ${granteeSql(held.grantee)}`],
  inverse: [`grant ${heldSql(held)} to ${granteeSql(held.grantee)}`],
})
