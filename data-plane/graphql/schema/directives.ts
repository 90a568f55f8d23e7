/** What comments on database objects say to this service: `@graphql({"name": "Account"})`. */
export type Directives = {
  name?: string
  totalCount: boolean
  inflectNames: boolean
  /** Of a foreign key: the field on the table that it points to, and the one on its own table. */
  localName?: string
  foreignName?: string
  /** Of a view: the columns that together name a row. */
  primaryKeyColumns?: readonly string[]
  /** Of an enum: names of values whose label is no name. */
  mappings: Readonly<Record<string, string>>
}

const marker = '@graphql('

/** A comment that cannot be read says nothing: a slip in one must not take the whole service away. */
export function directivesOf(comment: string | null | undefined): Directives {
  const found = comment ? parsed(comment) : {}
  const text = (key: string) => (typeof found[key] === 'string' ? found[key] : undefined)
  const [name, localName, foreignName] = [text('name'), text('local_name'), text('foreign_name')]
  return {
    ...(name === undefined ? {} : { name }),
    ...(localName === undefined ? {} : { localName }),
    ...(foreignName === undefined ? {} : { foreignName }),
    ...(isNames(found['primary_key_columns'])
      ? { primaryKeyColumns: found['primary_key_columns'] }
      : {}),
    totalCount: objectOf(found['totalCount'])['enabled'] === true,
    inflectNames: found['inflect_names'] === true,
    mappings: Object.fromEntries(
      Object.entries(objectOf(found['mappings'])).filter(
        (pair): pair is [string, string] => typeof pair[1] === 'string',
      ),
    ),
  }
}

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')

/** The comment without what it says to machines. */
export function describe(comment: string | null | undefined): string | undefined {
  const start = comment?.indexOf(marker) ?? -1
  const words = (start < 0 ? (comment ?? '') : (comment ?? '').slice(0, start)).trim()
  return words === '' ? undefined : words
}

/** The JSON ends at the first bracket behind which it is whole. */
function parsed(comment: string): Record<string, unknown> {
  const start = comment.indexOf(marker)
  if (start < 0) return {}
  const rest = comment.slice(start + marker.length)
  let end = rest.indexOf(')')
  for (let tries = 0; end >= 0 && tries < 20; tries++) {
    try {
      return objectOf(JSON.parse(rest.slice(0, end)))
    } catch {
      end = rest.indexOf(')', end + 1)
    }
  }
  return {}
}

// A parsed JSON object has string keys only.
const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
