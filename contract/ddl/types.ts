import { changeName, type Change } from './change.ts'
import { ident, qualified, quoteLiteral } from './sql-text.ts'

/** A type of people's own: all that it takes to make it again. */
export type TypeSpec = {
  schema: string
  name: string
  kind: 'enum' | 'composite' | 'domain' | 'range'
  values: readonly string[]
  attributes: readonly { name: string; type: string }[]
  /** Of a domain or range, as SQL. */
  base_type: string | null
  not_null: boolean
  default_value: string | null
  /** Of a domain, as `CHECK ((VALUE > 0))`. */
  checks: readonly { name: string; definition: string }[]
  comment: string | null
}

const literal = (value: string) => quoteLiteral(value).trim()
const of = ({ schema, name }: Pick<TypeSpec, 'schema' | 'name'>) => qualified(schema, name)

function typeSql(spec: TypeSpec): string {
  switch (spec.kind) {
    case 'enum':
      return `create type ${of(spec)} as enum (${spec.values.map(literal).join(', ')})`
    case 'composite':
      return `create type ${of(spec)} as (${spec.attributes
        .map(({ name, type }) => `${ident(name)} ${type}`)
        .join(', ')})`
    case 'range':
      return `create type ${of(spec)} as range (subtype = ${spec.base_type})`
    case 'domain':
      return [
        `create domain ${of(spec)} as ${spec.base_type}`,
        ...(spec.default_value === null ? [] : [`default ${spec.default_value}`]),
        ...(spec.not_null ? ['not null'] : []),
        ...spec.checks.map(({ name, definition }) => `constraint ${ident(name)} ${definition}`),
      ].join(' ')
  }
}

const commentSql = (spec: Pick<TypeSpec, 'schema' | 'name' | 'comment'>) =>
  `comment on type ${of(spec)} is ${spec.comment ? literal(spec.comment) : 'null'}`

const createStatements = (spec: TypeSpec) => [
  typeSql(spec),
  ...(spec.comment ? [commentSql(spec)] : []),
]

export const createType = (spec: TypeSpec): Change => ({
  name: changeName('create', spec.kind, spec.name),
  statements: createStatements(spec),
  inverse: [`drop type ${of(spec)}`],
})

/** With `cascade` the columns that have the type go too. */
export const dropType = (spec: TypeSpec, cascade = false): Change => ({
  name: changeName('drop', spec.kind, spec.name),
  statements: [`drop type ${of(spec)}${cascade ? ' cascade' : ''}`],
  // Cascading takes along what nobody knows here; a range may have more to it than is known here.
  ...(cascade || spec.kind === 'range' ? {} : { inverse: createStatements(spec) }),
})

/** A value of an enum as it shall be; `was` is what it is called now, missing for a new one. */
export type EnumValue = { was?: string | undefined; value: string }

export type EnumChange = { name: string; comment: string | null; values: readonly EnumValue[] }

/**
 * Renames first, then additions from the top: each new value stands after the one before it. Values cannot be
 * taken away nor change places, which Postgres has no command for. Undefined when nothing is to be done.
 */
export function changeEnum(before: TypeSpec, after: EnumChange): Change | undefined {
  const forth = renameValues(of(before), after.values)
  const added = after.values.flatMap(({ was, value }, index) => {
    if (was !== undefined) return []
    const [previous, next] = [after.values[index - 1], after.values[index + 1]]
    const place = previous
      ? ` after ${literal(previous.value)}`
      : next
        ? ` before ${literal(next.value)}`
        : ''
    return [`alter type ${of(before)} add value ${literal(value)}${place}`]
  })
  const renamed = { ...before, name: after.name }
  const rename = before.name === after.name ? [] : [renameSql(before, after.name)]
  const commented = (before.comment || null) !== (after.comment || null)
  const comment = commented ? [commentSql({ ...renamed, comment: after.comment })] : []
  const statements = [...forth, ...added, ...rename, ...comment]
  if (statements.length === 0) return undefined
  const back = after.values.flatMap(({ was, value }) =>
    was === undefined ? [] : [{ was: value, value: was }],
  )
  return {
    name: changeName('change enum', before.name),
    statements,
    // A value that was added stays: there is no command that takes one away.
    ...(added.length > 0
      ? {}
      : {
          inverse: [
            ...(commented ? [commentSql({ ...renamed, comment: before.comment })] : []),
            ...(rename.length > 0 ? [renameSql(renamed, before.name)] : []),
            ...renameValues(of(before), back),
          ],
        }),
  }
}

const renameSql = (spec: Pick<TypeSpec, 'schema' | 'name'>, name: string) =>
  `alter type ${of(spec)} rename to ${ident(name)}`

/** In an order in which no name is taken when it is needed; where names go in a circle, one steps aside first. */
function renameValues(type: string, values: readonly EnumValue[]): string[] {
  // Two of one name would wait for each other for ever; Postgres says what is wrong with them.
  const unclear = new Set(values.map(({ value }) => value)).size < values.length
  const taken = new Set(values.flatMap(({ was }) => (was === undefined ? [] : [was])))
  const waiting = values.flatMap(({ was, value }) =>
    was === undefined || was === value ? [] : [{ was, value }],
  )
  const statements: string[] = []
  const move = (was: string, value: string) => {
    statements.push(`alter type ${type} rename value ${literal(was)} to ${literal(value)}`)
    taken.delete(was)
    taken.add(value)
  }
  while (waiting.length > 0) {
    const free = unclear ? 0 : waiting.findIndex(({ value }) => !taken.has(value))
    const [next] = waiting.splice(Math.max(free, 0), 1)
    if (!next) break
    if (free >= 0) {
      move(next.was, next.value)
      continue
    }
    let aside = 'renaming'
    for (let n = 1; taken.has(aside) || waiting.some(({ value }) => value === aside); n += 1)
      aside = `renaming ${n}`
    move(next.was, aside)
    waiting.push({ was: aside, value: next.value })
  }
  return statements
}
