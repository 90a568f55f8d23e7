import { tokensOf } from '#contract/database/sql/sql-statements'

/** A table, view or the like, as completion needs it. */
export type Relation = { schema: string; name: string; columns: { name: string; type: string }[] }

export type Suggestion = {
  kind: 'column' | 'table' | 'schema' | 'function' | 'keyword'
  label: string
  /** What is written, quoted where it must be. */
  insert: string
  /** Where it is from: the table of a column, the schema of a table. */
  from: string
  type: string
}

/** A name as it must be written: quoted unless it is plain lower case and no keyword. */
export const nameInSql = (name: string, reserved: ReadonlySet<string>): string =>
  /^[a-z_][a-z0-9_$]*$/.test(name) && !reserved.has(name) ? name : `"${name.replaceAll('"', '""')}"`

const namePattern = String.raw`(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)`
const source = new RegExp(
  String.raw`\b(?:from|join|update|into|table|truncate)\s+(?:only\s+|lateral\s+)?(${namePattern})(?:\s*\.\s*(${namePattern}))?(?:\s+(?:as\s+)?(${namePattern}))?`,
  'giu',
)
const moreSources = new RegExp(
  String.raw`^\s*,\s*(${namePattern})(?:\s*\.\s*(${namePattern}))?(?:\s+(?:as\s+)?(${namePattern}))?`,
  'iu',
)
/** Words that may follow a table and are no alias of it. */
const noAlias = new Set(
  'where on using set values select join inner left right full cross natural group order limit offset returning having union except intersect for window as default when then end'.split(
    ' ',
  ),
)

const plain = (name: string) =>
  name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name.toLowerCase()

/** What the statement reads or writes: schema (if it is said), table and the name it goes by. */
export function sourcesIn(statement: string): { schema?: string; table: string; alias: string }[] {
  const found: { schema?: string; table: string; alias: string }[] = []
  const add = ([, first = '', second, alias]: RegExpExecArray) => {
    const table = plain(second ?? first)
    const called = alias && !noAlias.has(plain(alias)) ? plain(alias) : table
    found.push({ ...(second ? { schema: plain(first) } : {}), table, alias: called })
  }
  for (const match of statement.matchAll(source)) {
    add(match)
    let rest = statement.slice(match.index + match[0].length)
    for (let more = moreSources.exec(rest); more; more = moreSources.exec(rest)) {
      add(more)
      rest = rest.slice(more[0].length)
    }
  }
  return found
}

/** The name before the dot that the cursor stands behind, as in `o.cu|`. */
export function qualifierBefore(text: string): string | undefined {
  const match = new RegExp(String.raw`(${namePattern})\s*\.\s*"?[\p{L}\p{N}_$]*$`, 'u').exec(text)
  return match?.[1] === undefined ? undefined : plain(match[1])
}

/**
 * What could stand at the cursor, best first: behind `x.` the columns of x or the tables of the schema x; elsewhere the
 * columns of the statement's own tables, then tables and schemas.
 */
export function suggestionsAt(
  { statement, before }: { statement: string; before: string },
  relations: readonly Relation[],
  reserved: ReadonlySet<string>,
): Suggestion[] {
  const named = (name: string) => nameInSql(name, reserved)
  const tableOf = (relation: Relation): Suggestion => ({
    kind: 'table',
    label: relation.name,
    insert: named(relation.name),
    from: relation.schema,
    type: 'table',
  })
  const columnsOf = (relation: Relation): Suggestion[] =>
    relation.columns.map(({ name, type }) => ({
      kind: 'column',
      label: name,
      insert: named(name),
      from: relation.name,
      type,
    }))
  const used = sourcesIn(statement).flatMap(({ schema, table, alias }) => {
    const of = relations.filter((r) => r.name === table && (!schema || r.schema === schema))
    const relation = of.find((r) => r.schema === 'public') ?? of[0]
    return relation ? [{ alias, relation }] : []
  })
  const qualifier = qualifierBefore(before)
  if (qualifier !== undefined) {
    const aliased = used.filter(({ alias }) => alias === qualifier)
    if (aliased.length) return aliased.flatMap(({ relation }) => columnsOf(relation))
    const inSchema = relations.filter(({ schema }) => schema === qualifier)
    if (inSchema.length) return inSchema.map(tableOf)
    return relations.filter(({ name }) => name === qualifier).flatMap(columnsOf)
  }
  const schemas = [...new Set(relations.map(({ schema }) => schema))].map((schema): Suggestion => ({
    kind: 'schema',
    label: schema,
    insert: named(schema),
    from: '',
    type: 'schema',
  }))
  // A table of another schema is only found with its schema in front.
  const tables = relations.map((relation) =>
    relation.schema === 'public'
      ? tableOf(relation)
      : { ...tableOf(relation), insert: `${named(relation.schema)}.${named(relation.name)}` },
  )
  const own = [...new Set(used.map(({ relation }) => relation))].flatMap(columnsOf)
  return [...own, ...tables, ...schemas]
}

/** The call that the end of a text is in: `round(price, |` is round at its second argument. */
type CallAt = { name: string; argument: number }

/** Finds the innermost call that is still open; undefined where there is none, and in a list that is no call. */
export function callAt(before: string): CallAt | undefined {
  const open: { name: string; argument: number }[] = []
  let name = ''
  for (const { start, end, kind } of tokensOf(before)) {
    const text = before.slice(start, end)
    if (text === '(' || text === '[') open.push({ name: text === '(' ? name : '', argument: 0 })
    else if (text === ')' || text === ']') open.pop()
    else if (text === ';') open.length = 0
    else if (text === ',') {
      const last = open.at(-1)
      if (last) last.argument += 1
    }
    name = kind === 'word' ? text.toLowerCase() : text.startsWith('"') ? unquoted(text) : ''
  }
  const last = open.at(-1)
  return last?.name && !notCalled.has(last.name) ? last : undefined
}

const unquoted = (text: string) => text.slice(1, -1).replaceAll('""', '"')

/** Words that a parenthesis may follow without a call. */
const notCalled = new Set(
  'and or not in values select from where on using as any some all exists case when then else over filter group by having limit offset returning set with insert into key references check primary unique array row cube rollup'.split(
    ' ',
  ),
)

/** Arguments as Postgres prints them, one by one: commas inside types and defaults do not divide. */
export function argumentsOf(printed: string): string[] {
  if (printed.trim() === '') return []
  const parts: string[] = []
  let depth = 0
  let begin = 0
  for (const { start, end } of tokensOf(printed)) {
    const text = printed.slice(start, end)
    if (text === '(' || text === '[') depth += 1
    else if (text === ')' || text === ']') depth -= 1
    else if (text === ',' && depth === 0) {
      parts.push(printed.slice(begin, start).trim())
      begin = end
    }
  }
  return [...parts, printed.slice(begin).trim()]
}
