import { commentSql } from './column-sql.ts'
import { ident } from '../sql-text.ts'
import { realtimePublication, tablePrivileges, type RoleAccess } from './table-shape.ts'

/** GRANT and REVOKE from what roles may do to what they shall be able to. */
export function accessStatements(
  on: string,
  before: readonly RoleAccess[],
  after: readonly RoleAccess[],
): string[] {
  return after.flatMap(({ role, privileges }) => {
    const had = before.find((one) => one.role === role)?.privileges ?? []
    const added = privileges.filter((one) => !had.includes(one))
    const removed = had.filter((one) => !privileges.includes(one))
    const statements: string[] = []
    if (removed.length > 0) {
      const what = privileges.length === 0 ? 'all' : wordsOf(removed)
      statements.push(`revoke ${what} on table ${on} from ${ident(role)}`)
    }
    if (added.length > 0) {
      const what = added.length === tablePrivileges.length ? 'all' : wordsOf(added)
      statements.push(`grant ${what} on table ${on} to ${ident(role)}`)
    }
    return statements
  })
}

const wordsOf = (privileges: readonly string[]) =>
  tablePrivileges
    .filter((one) => privileges.includes(one))
    .join(', ')
    .toLowerCase()

type Marks = { comment: string | null; rls: boolean; realtime: boolean | null }

/** What is said about a table as a whole. */
export function markStatements(on: string, before: Marks, after: Marks): string[] {
  const statements: string[] = []
  if (before.rls !== after.rls) statements.push(rlsSql(on, after.rls))
  if ((before.comment ?? '') !== (after.comment ?? ''))
    statements.push(commentSql(`table ${on}`, after.comment))
  if (after.realtime !== null && (before.realtime ?? false) !== after.realtime)
    statements.push(realtimeSql(on, after.realtime))
  return statements
}

export const rlsSql = (on: string, secured: boolean) =>
  `alter table ${on} ${secured ? 'enable' : 'disable'} row level security`

export const realtimeSql = (on: string, sent: boolean) =>
  `alter publication ${realtimePublication} ${sent ? 'add' : 'drop'} table ${on}`
