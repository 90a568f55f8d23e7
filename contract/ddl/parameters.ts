import { changeName, type Change } from './change.ts'
import { ident, quoteLiteral } from './sql-text.ts'

/** Parameters that hold a list of names: each name is a value of its own, or the whole list would become one name. */
const lists = new Set([
  'search_path',
  'temp_tablespaces',
  'session_preload_libraries',
  'local_preload_libraries',
])

/** A parameter's name may have parts: `app.tenant`. */
export const parameterName = (name: string) => name.split('.').map(ident).join('.')

/** The value after SET … TO, from the text that Postgres keeps: `"$user", public` becomes `'$user', 'public'`. */
export function parameterValue(name: string, value: string): string {
  const items = lists.has(name.toLowerCase()) ? listItems(value) : []
  return (items.length > 0 ? items : [value]).map((item) => quoteLiteral(item).trim()).join(', ')
}

function listItems(value: string): string[] {
  const items = value.match(/(?:"(?:[^"]|"")*"|[^,])+/g) ?? []
  return items.map((item) => {
    const text = item.trim()
    return /^".*"$/s.test(text) ? text.slice(1, -1).replaceAll('""', '"') : text
  })
}

/** Where a Postgres parameter is set: for everyone in the database, or for one role. */
export type ParameterPlace = { database: string } | { role: string }

type DesiredParameter = {
  name: string
  /** What is set there now; null when nothing is. */
  from: string | null
  /** Null takes it back to what the server has. */
  to: string | null
}

export function setParameter(place: ParameterPlace, { name, from, to }: DesiredParameter): Change {
  return {
    name: changeName(
      to === null ? 'reset' : 'set',
      name,
      ...('role' in place ? ['for', place.role] : []),
    ),
    statements: [parameterStep(place, name, to)],
    inverse: [parameterStep(place, name, from)],
  }
}

export function parameterStep(place: ParameterPlace, name: string, value: string | null): string {
  const alter =
    'role' in place ? `alter role ${ident(place.role)}` : `alter database ${ident(place.database)}`
  return value === null
    ? `${alter} reset ${parameterName(name)}`
    : `${alter} set ${parameterName(name)} to ${parameterValue(name, value)}`
}
