import type { FunctionDetails, ValueDetails } from './details.ts'
import { describe, directivesOf } from './schema/directives.ts'
import type { createEnums } from './schema/enums.ts'
import type { Draft, Func, Value } from './model.ts'
import { isName, Names, type Spelling } from './names.ts'
import { enumOperators, scalarOf } from './schema/scalars.ts'

/** Arguments that a page of rows has itself. */
const pageArguments = ['first', 'last', 'before', 'after', 'offset', 'filter', 'orderBy']

type Known = {
  profile: string
  tables: ReadonlyMap<string, Draft>
  spelling: Spelling
  enumOf: ReturnType<typeof createEnums>
}

/**
 * Functions under GraphQL's names: those of a row become fields of its type, which is done here; the others are fields of
 * the query or the mutation. Left out is what GraphQL has no words for: overloads, arguments without a name, sets of
 * values, records.
 */
export function addFunctions(all: readonly FunctionDetails[], known: Known): Func[] {
  const roots = all.filter((one) => !one.of)
  const isAlone = ({ name }: FunctionDetails) =>
    roots.filter((one) => one.name === name).length === 1
  for (const one of all) if (one.of) addComputed(one, known)
  return roots.filter(isAlone).flatMap((one) => {
    const fn = functionOf(one, one.name, known)
    const args = fn && argumentsOf(one, fn, known)
    return args ? [{ ...fn, args }] : []
  })
}

/** A name that begins with an underscore, as other services ask for, stands for the same without it. */
function addComputed(one: FunctionDetails, known: Known): void {
  const table = one.of?.schema === known.profile ? known.tables.get(one.of.name) : undefined
  // The function is given the row whole, so whoever may not read all of it cannot call it.
  if (!table?.whole) return
  const fn = functionOf(one, one.name.replace(/^_/, ''), known)
  if (!fn || table.fields.has(fn.field)) return
  table.fields.set(fn.field, { kind: 'computed', fn })
}

function functionOf(one: FunctionDetails, name: string, known: Known): Func | undefined {
  const field = directivesOf(one.comment).name ?? known.spelling.field(name)
  const returns = returnsOf(one, known)
  if (!returns || !isName(field)) return undefined
  const { profile: schema } = known
  const description = describe(one.comment)
  return { schema, name: one.name, field, description, volatile: one.volatile, args: [], returns }
}

function returnsOf(
  one: FunctionDetails,
  { profile, tables, enumOf }: Known,
): Func['returns'] | undefined {
  const { relation, returns, set } = one
  if (!relation) {
    return returns.plain && !set ? { kind: 'value', value: valueOf(returns, enumOf) } : undefined
  }
  const table = relation.schema === profile ? tables.get(relation.name) : undefined
  return table && { kind: one.one ? 'row' : 'rows', table }
}

function argumentsOf(one: FunctionDetails, { returns }: Func, { spelling, enumOf }: Known) {
  const names = new Names(returns.kind === 'rows' ? pageArguments : [])
  const args = one.args.flatMap(({ name, optional, value }) => {
    const field = spelling.field(name)
    if (!value.plain || name === '' || !names.take(field)) return []
    return [{ name, field, optional, type: value.sql, value: valueOf(value, enumOf) }]
  })
  return args.length === one.args.length ? args : undefined
}

function valueOf(details: ValueDetails, enumOf: Known['enumOf']): Value {
  const enumType = details.enum === null ? undefined : enumOf(details.enum)
  const kind = enumType
    ? ({ type: enumType, operators: enumOperators, asText: true } as const)
    : scalarOf(details.type)
  return { kind, list: details.array }
}
