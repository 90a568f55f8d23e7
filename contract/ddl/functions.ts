import { changeName, type Change } from './change.ts'
import { dollarQuoted, sameList, settingSql } from './function-parts.ts'
import { ident, qualified, quoteLiteral } from './sql-text.ts'

export type Argument = {
  mode: 'in' | 'out' | 'inout' | 'variadic' | 'table'
  /** Empty for an argument that is only known by its place. */
  name: string
  /** As SQL: `integer`, `app."My type"[]`. */
  type: string
  /** As SQL; null for none. */
  default_value: string | null
}

/** All of a function that `create or replace` would otherwise set back. */
export type FunctionSpec = {
  kind: 'function' | 'procedure'
  schema: string
  name: string
  args: readonly Argument[]
  /** As SQL after RETURNS: `integer`, `SETOF app.books`, `TABLE(id integer)`. Of no meaning for a procedure. */
  return_type: string
  language: string
  /** `quoted`: `definition` is a text for the language. `standard`: it is SQL itself, `BEGIN ATOMIC ...`. */
  body: 'quoted' | 'standard'
  definition: string
  behavior: 'IMMUTABLE' | 'STABLE' | 'VOLATILE'
  security_definer: boolean
  strict: boolean
  leakproof: boolean
  parallel: 'UNSAFE' | 'RESTRICTED' | 'SAFE'
  cost: number
  rows: number
  config_params: Readonly<Record<string, string>>
  comment: string | null
}

/** What Postgres assumes where nothing is said. */
export const usualCost = 100
export const usualRows = 1000

/** Text of people between other SQL: a comment at its end must not take along what follows. */
const put = (sql: string) => (sql.includes('--') ? `${sql}\n` : sql)

function argumentSql({ mode, name, type, default_value }: Argument): string {
  const parts = [
    ...(mode === 'in' ? [] : [mode]),
    ...(name ? [ident(name)] : []),
    put(type),
    ...(default_value === null ? [] : [`default ${put(default_value)}`]),
  ]
  return parts.join(' ')
}

const takesPart = ({ mode }: Argument) => mode !== 'table'

/** What tells it from others of its name: `public.add(integer, variadic text[])`. */
export function signatureSql({ kind, schema, name, args }: Signature): string {
  const types = args.filter(takesPart).flatMap(({ mode, type }) => {
    // An OUT argument is part of what a procedure is called with, and not of what a function is.
    if (mode === 'out') return kind === 'procedure' ? [`out ${put(type)}`] : []
    return [mode === 'variadic' ? `variadic ${put(type)}` : put(type)]
  })
  return `${qualified(schema, name)}(${types.join(', ')})`
}
type Signature = Pick<FunctionSpec, 'kind' | 'schema' | 'name' | 'args'>

/** `create function ...` as one statement. */
export function functionSql(spec: FunctionSpec, replace = false): string {
  const { kind, schema, name, args, behavior, language, parallel, cost, rows } = spec
  const given = args.filter(takesPart).map(argumentSql).join(', ')
  const isFunction = kind === 'function'
  const lines = [
    `create ${replace ? 'or replace ' : ''}${kind} ${qualified(schema, name)}(${given})`,
    ...(isFunction ? [`returns ${put(spec.return_type)}`] : []),
    `language ${ident(language)}`,
    ...(isFunction && behavior !== 'VOLATILE' ? [behavior.toLowerCase()] : []),
    ...(isFunction && spec.strict ? ['strict'] : []),
    ...(isFunction && spec.leakproof ? ['leakproof'] : []),
    ...(isFunction && parallel !== 'UNSAFE' ? [`parallel ${parallel.toLowerCase()}`] : []),
    ...(isFunction && cost !== usualCost ? [`cost ${cost}`] : []),
    ...(isFunction && returnsSet(spec) && rows !== usualRows ? [`rows ${rows}`] : []),
    ...(spec.security_definer ? ['security definer'] : []),
    ...Object.entries(spec.config_params).map(([key, value]) => settingSql(key, value)),
    spec.body === 'quoted' ? `as ${dollarQuoted(spec.definition)}` : spec.definition,
  ]
  return lines.join('\n')
}

const returnsSet = ({ return_type }: FunctionSpec) => /^\s*(setof|table)\b/i.test(return_type)

const commentSql = (spec: FunctionSpec) =>
  `comment on ${spec.kind} ${signatureSql(spec)} is ${spec.comment ? quoteLiteral(spec.comment) : 'null'}`

const createStatements = (spec: FunctionSpec) => [
  functionSql(spec),
  ...(spec.comment ? [commentSql(spec)] : []),
]
const dropSql = (spec: Signature, cascade = false) =>
  `drop ${spec.kind} ${signatureSql(spec)}${cascade ? ' cascade' : ''}`

export const createFunction = (spec: FunctionSpec): Change => ({
  name: changeName('create', spec.kind, spec.name),
  statements: createStatements(spec),
  inverse: [dropSql(spec)],
})

export const dropFunction = (spec: FunctionSpec, cascade = false): Change => ({
  name: changeName('drop', spec.kind, spec.name),
  statements: [dropSql(spec, cascade)],
  // Cascading takes along what nobody knows here.
  ...(cascade ? {} : { inverse: createStatements(spec) }),
})

/**
 * Whether Postgres can put one in the place of the other. It cannot when arguments, result or a default's presence
 * change: then the function is dropped and made anew, which sets its privileges back.
 */
export function canReplace(before: FunctionSpec, after: FunctionSpec): boolean {
  const sameArgument = (a: Argument, b: Argument) =>
    a.mode === b.mode &&
    a.name === b.name &&
    a.type === b.type &&
    (a.default_value === null || b.default_value !== null)
  return (
    before.kind === after.kind &&
    (before.kind === 'procedure' || before.return_type === after.return_type) &&
    sameList(before.args.filter(takesPart), after.args.filter(takesPart), sameArgument)
  )
}

/** The statements that make one of the other, in order; none when they are the same. */
function steps(before: FunctionSpec, after: FunctionSpec): string[] {
  if (!canReplace(before, after)) return [dropSql(before), ...createStatements(after)]
  const statements: string[] = []
  const moved = { ...before, schema: after.schema }
  if (before.schema !== after.schema)
    statements.push(
      `alter ${before.kind} ${signatureSql(before)} set schema ${ident(after.schema)}`,
    )
  if (before.name !== after.name)
    statements.push(`alter ${before.kind} ${signatureSql(moved)} rename to ${ident(after.name)}`)
  const renamed = { ...moved, name: after.name }
  if (functionSql(renamed) !== functionSql(after)) statements.push(functionSql(after, true))
  if ((before.comment || null) !== (after.comment || null)) statements.push(commentSql(after))
  return statements
}

/** Undefined when nothing is to be done. */
export function changeFunction(before: FunctionSpec, after: FunctionSpec): Change | undefined {
  const statements = steps(before, after)
  if (statements.length === 0) return undefined
  return {
    name: changeName('change', before.kind, before.name),
    statements,
    inverse: steps(after, before),
  }
}
