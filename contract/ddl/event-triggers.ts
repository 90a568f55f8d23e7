import { changeName, type Change } from './change.ts'
import { ident, qualified, quoteLiteral } from './sql-text.ts'
import { enableWords, type EnabledMode } from './triggers.ts'

export type EventTriggerSpec = {
  name: string
  event: string
  /** Command tags it is limited to; empty for all. */
  tags: readonly string[]
  function_schema: string
  function_name: string
  enabled_mode: EnabledMode
}

const enableSql = (name: string, mode: EnabledMode) =>
  `alter event trigger ${ident(name)} ${enableWords(mode)}`

function createStatements(spec: EventTriggerSpec): string[] {
  const tags = spec.tags.map((tag) => quoteLiteral(tag).trim()).join(', ')
  return [
    [
      `create event trigger ${ident(spec.name)}`,
      `on ${ident(spec.event)}`,
      ...(spec.tags.length > 0 ? [`when tag in (${tags})`] : []),
      `execute function ${qualified(spec.function_schema, spec.function_name)}()`,
    ].join('\n'),
    ...(spec.enabled_mode === 'ORIGIN' ? [] : [enableSql(spec.name, spec.enabled_mode)]),
  ]
}
const dropSql = ({ name }: EventTriggerSpec) => `drop event trigger ${ident(name)}`

export const createEventTrigger = (spec: EventTriggerSpec): Change => ({
  name: changeName('create event trigger', spec.name),
  statements: createStatements(spec),
  inverse: [dropSql(spec)],
})

export const dropEventTrigger = (spec: EventTriggerSpec): Change => ({
  name: changeName('drop event trigger', spec.name),
  statements: [dropSql(spec)],
  inverse: createStatements(spec),
})

function steps(before: EventTriggerSpec, after: EventTriggerSpec): string[] {
  const plain = (spec: EventTriggerSpec) =>
    createStatements({ ...spec, name: 'x', enabled_mode: 'ORIGIN' }).join()
  // Postgres has no OR REPLACE for these.
  if (plain(before) !== plain(after)) return [dropSql(before), ...createStatements(after)]
  const statements: string[] = []
  if (before.name !== after.name)
    statements.push(`alter event trigger ${ident(before.name)} rename to ${ident(after.name)}`)
  if (before.enabled_mode !== after.enabled_mode)
    statements.push(enableSql(after.name, after.enabled_mode))
  return statements
}

/** Undefined when nothing is to be done. */
export function changeEventTrigger(
  before: EventTriggerSpec,
  after: EventTriggerSpec,
): Change | undefined {
  const statements = steps(before, after)
  if (statements.length === 0) return undefined
  return {
    name: changeName('change event trigger', before.name),
    statements,
    inverse: steps(after, before),
  }
}
