import { changeName, type Change } from './change.ts'
import { ident, qualified } from './sql-text.ts'

export const policyCommands = ['ALL', 'SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const
export type PolicyCommand = (typeof policyCommands)[number]

export type PolicySpec = {
  schema: string
  table: string
  name: string
  action: 'PERMISSIVE' | 'RESTRICTIVE'
  command: PolicyCommand
  /** `public` is everybody. */
  roles: readonly string[]
  /** SQL expressions: of the rows that are there, and of rows as they shall be. */
  definition: string | null
  check: string | null
}

/** Which rows that are there a command asks for; INSERT has none. */
export const hasDefinition = (command: PolicyCommand) => command !== 'INSERT'
/** Which new rows a command may write; SELECT and DELETE write none. */
export const hasCheck = (command: PolicyCommand) => command !== 'SELECT' && command !== 'DELETE'

const nameOf = ({ schema, table, name }: PolicySpec) =>
  `${ident(name)} on ${qualified(schema, table)}`

/** On a line of its own, because an expression may end in a comment. */
const inParentheses = (expression: string) =>
  /--|\n/.test(expression) ? `(\n${expression}\n)` : `(${expression})`

const rolesSql = (roles: readonly string[]) =>
  `to ${(roles.length > 0 ? roles : ['public']).map(ident).join(', ')}`

function createSql(policy: PolicySpec): string {
  const { action, command, roles, definition, check } = policy
  return [
    `create policy ${nameOf(policy)}`,
    ...(action === 'RESTRICTIVE' ? ['as restrictive'] : []),
    `for ${command.toLowerCase()}`,
    rolesSql(roles),
    ...(definition === null ? [] : [`using ${inParentheses(definition)}`]),
    ...(check === null ? [] : [`with check ${inParentheses(check)}`]),
  ].join('\n')
}

const dropSql = (policy: PolicySpec) => `drop policy ${nameOf(policy)}`

export const createPolicy = (policy: PolicySpec): Change => ({
  name: changeName('create policy', policy.name, 'on', policy.table),
  statements: [createSql(policy)],
  inverse: [dropSql(policy)],
})

export const dropPolicy = (policy: PolicySpec): Change => ({
  name: changeName('drop policy', policy.name, 'on', policy.table),
  statements: [dropSql(policy)],
  inverse: [createSql(policy)],
})

/** Undefined when nothing is to be changed. Both are policies of one table. */
export function changePolicy(before: PolicySpec, after: PolicySpec): Change | undefined {
  const statements = canAlter(before, after)
    ? alterations(before, after)
    : [dropSql(before), createSql(after)]
  if (statements.length === 0) return undefined
  return {
    name: changeName('change policy', before.name, 'on', before.table),
    statements,
    inverse: canAlter(after, before)
      ? alterations(after, before)
      : [dropSql(after), createSql(before)],
  }
}

/** What it is for cannot be altered, and an expression can be replaced but not taken away. */
const canAlter = (before: PolicySpec, after: PolicySpec) =>
  before.action === after.action &&
  before.command === after.command &&
  (before.definition === null || after.definition !== null) &&
  (before.check === null || after.check !== null)

function alterations(before: PolicySpec, after: PolicySpec): string[] {
  const statements: string[] = []
  if (before.name !== after.name)
    statements.push(`alter policy ${nameOf(before)} rename to ${ident(after.name)}`)
  const parts: string[] = []
  if (before.roles.toSorted().join('\n') !== after.roles.toSorted().join('\n'))
    parts.push(rolesSql(after.roles))
  if (after.definition !== null && before.definition !== after.definition)
    parts.push(`using ${inParentheses(after.definition)}`)
  if (after.check !== null && before.check !== after.check)
    parts.push(`with check ${inParentheses(after.check)}`)
  if (parts.length > 0) statements.push([`alter policy ${nameOf(after)}`, ...parts].join('\n'))
  return statements
}

type OnTable = { schema: string; table: string }

/** Row level security of a table, on or off. While it is off nobody asks its policies. */
export function secureTable({ schema, table }: OnTable, on: boolean): Change {
  const sql = (secured: boolean) =>
    `alter table ${qualified(schema, table)} ${secured ? 'enable' : 'disable'} row level security`
  return {
    name: changeName(on ? 'enable rls on' : 'disable rls on', table),
    statements: [sql(on)],
    inverse: [sql(!on)],
  }
}
