import { changeName, type Change } from './change.ts'
import { sameList } from './function-parts.ts'
import { ident, qualified, quoteLiteral } from './sql-text.ts'

export type EnabledMode = 'ORIGIN' | 'REPLICA' | 'ALWAYS' | 'DISABLED'

/** What makes a trigger a constraint: it can wait for the end of the transaction. */
export type TriggerConstraint = {
  deferrable: boolean
  initially_deferred: boolean
  /** The other table that it is about, if it is about two. */
  from: { schema: string; table: string } | null
}

export type TriggerSpec = {
  name: string
  schema: string
  table: string
  activation: 'BEFORE' | 'AFTER' | 'INSTEAD OF'
  events: readonly ('INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE')[]
  /** Of UPDATE OF; empty for any column. */
  columns: readonly string[]
  orientation: 'ROW' | 'STATEMENT'
  /** As SQL; null for none. */
  condition: string | null
  old_table: string | null
  new_table: string | null
  function_schema: string
  function_name: string
  function_args: readonly string[]
  enabled_mode: EnabledMode
  /** Of a constraint trigger, which fires after, for each row, and cannot be replaced. */
  constraint?: TriggerConstraint | null | undefined
}

const on = ({ schema, table }: Pick<TriggerSpec, 'schema' | 'table'>) => qualified(schema, table)

const put = (sql: string) => (sql.includes('--') ? `\n${sql}\n` : sql)

const waits = ({ deferrable, initially_deferred: later }: TriggerConstraint) =>
  later ? 'deferrable initially deferred' : deferrable ? 'deferrable' : 'not deferrable'

function constraintLines(constraint: TriggerConstraint | null | undefined): string[] {
  if (!constraint) return []
  const { from } = constraint
  return [...(from ? [`from ${qualified(from.schema, from.table)}`] : []), waits(constraint)]
}

/** `create trigger ...` as one statement; whether it is enabled comes separately. */
export function triggerSql(spec: TriggerSpec, replace = false): string {
  const events = spec.events.map((event) =>
    event === 'UPDATE' && spec.columns.length > 0
      ? `update of ${spec.columns.map(ident).join(', ')}`
      : event.toLowerCase(),
  )
  const transitions = [
    ...(spec.old_table === null ? [] : [`old table as ${ident(spec.old_table)}`]),
    ...(spec.new_table === null ? [] : [`new table as ${ident(spec.new_table)}`]),
  ]
  const args = spec.function_args.map((arg) => quoteLiteral(arg).trim()).join(', ')
  return [
    `create ${replace ? 'or replace ' : ''}${spec.constraint ? 'constraint ' : ''}trigger ${ident(spec.name)}`,
    `${spec.activation.toLowerCase()} ${events.join(' or ')} on ${on(spec)}`,
    ...constraintLines(spec.constraint),
    ...(transitions.length > 0 ? [`referencing ${transitions.join(' ')}`] : []),
    `for each ${spec.orientation.toLowerCase()}`,
    ...(spec.condition === null ? [] : [`when (${put(spec.condition)})`]),
    `execute function ${qualified(spec.function_schema, spec.function_name)}(${args})`,
  ].join('\n')
}

/** `enable always`, for tables' triggers and for event triggers alike. */
export function enableWords(mode: EnabledMode): string {
  switch (mode) {
    case 'ORIGIN':
      return 'enable'
    case 'REPLICA':
      return 'enable replica'
    case 'ALWAYS':
      return 'enable always'
    case 'DISABLED':
      return 'disable'
  }
}

type Named = Pick<TriggerSpec, 'name' | 'schema' | 'table'>

export const enableSql = (spec: Named, mode: EnabledMode) =>
  `alter table ${on(spec)} ${enableWords(mode)} trigger ${ident(spec.name)}`

export const renameTriggerSql = (spec: Named, name: string) =>
  `alter trigger ${ident(spec.name)} on ${on(spec)} rename to ${ident(name)}`

export const dropTriggerSql = (spec: Named, cascade = false) =>
  `drop trigger ${ident(spec.name)} on ${on(spec)}${cascade ? ' cascade' : ''}`

const createStatements = (spec: TriggerSpec) => [
  triggerSql(spec),
  ...(spec.enabled_mode === 'ORIGIN' ? [] : [enableSql(spec, spec.enabled_mode)]),
]

export const createTrigger = (spec: TriggerSpec): Change => ({
  name: changeName('create trigger', spec.name),
  statements: createStatements(spec),
  inverse: [dropTriggerSql(spec)],
})

/** `recreate` brings it back in other words than ours, as in those of Postgres. */
export const dropTrigger = (
  spec: TriggerSpec,
  recreate?: readonly string[],
  cascade = false,
): Change => ({
  name: changeName('drop trigger', spec.name),
  statements: [dropTriggerSql(spec, cascade)],
  // Cascading takes along what nobody knows here.
  ...(cascade ? {} : { inverse: [...(recreate ?? createStatements(spec))] }),
})

const same = (a: string, b: string) => a === b

function steps(before: TriggerSpec, after: TriggerSpec): string[] {
  const anew = [dropTriggerSql(before), ...createStatements(after)]
  if (before.schema !== after.schema || before.table !== after.table) return anew
  const statements: string[] = []
  const renamed = { ...before, name: after.name }
  if (before.name !== after.name) statements.push(renameTriggerSql(before, after.name))
  const replaced =
    triggerSql(renamed) !== triggerSql(after) || !sameList(before.columns, after.columns, same)
  if (replaced && (before.constraint || after.constraint)) return anew
  if (replaced) statements.push(triggerSql(after, true))
  // One that was put in another's place is enabled as a new one is.
  const mode = replaced ? 'ORIGIN' : before.enabled_mode
  if (mode !== after.enabled_mode) statements.push(enableSql(after, after.enabled_mode))
  return statements
}

/** Undefined when nothing is to be done. */
export function changeTrigger(before: TriggerSpec, after: TriggerSpec): Change | undefined {
  const statements = steps(before, after)
  if (statements.length === 0) return undefined
  return {
    name: changeName('change trigger', before.name),
    statements,
    inverse: steps(after, before),
  }
}
