import { parameterNames } from '#contract/database/sql/sql-parameters'
import { splitScript } from '#contract/database/sql/sql-script'

export type ParameterValues = Readonly<Record<string, string | null>>
type Area = Pick<Storage, 'getItem' | 'setItem'>

const mayHaveSome = /(?:^|[^:]):[\p{L}_]/u
let last: { sql: string; names: readonly string[] } = { sql: '', names: [] }

/** The `:name`s of a text. Asked with every key, it looks twice only at a text that could have some. */
export function namesIn(sql: string): readonly string[] {
  if (last.sql !== sql) {
    const names = mayHaveSome.test(sql) ? namesOf(sql) : []
    const same = names.join('\n') === last.names.join('\n')
    last = { sql, names: same ? last.names : names }
  }
  return last.names
}

/** Data and commands of psql have none. */
const namesOf = (sql: string): string[] => [
  ...new Set(splitScript(sql).flatMap(({ text, meta }) => (meta ? [] : parameterNames(text)))),
]

/** What people gave for the `:name`s of each query, kept in this browser. A name without a value is missing. */
export function createParameterValues(area: Area, ref: string) {
  const keyOf = (queryId: string) => `plinth.sql-editor-values-${ref}.${queryId}`
  const read = new Map<string, ParameterValues>()
  const watchers = new Set<() => void>()
  const of = (queryId: string): ParameterValues => {
    const known = read.get(queryId) ?? parse(area.getItem(keyOf(queryId)))
    read.set(queryId, known)
    return known
  }
  return {
    of,
    subscribe(watcher: () => void) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    set(queryId: string, name: string, value: string | null) {
      const values = { ...of(queryId), [name]: value }
      read.set(queryId, values)
      try {
        area.setItem(keyOf(queryId), JSON.stringify(values))
      } catch {
        // Without room they are merely forgotten with the page.
      }
      for (const watch of watchers) watch()
    },
    /** The values that a text needs, and the names that have none yet. */
    for(
      queryId: string,
      sql: string,
    ): { values: Record<string, string | null>; missing: string[] } {
      const known = of(queryId)
      const names = namesIn(sql)
      const given = names.filter((name) => Object.hasOwn(known, name))
      return {
        values: Object.fromEntries(given.map((name) => [name, known[name] ?? null])),
        missing: names.filter((name) => !Object.hasOwn(known, name)),
      }
    },
  }
}
export type ParameterStore = ReturnType<typeof createParameterValues>

function parse(text: string | null): ParameterValues {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    if (typeof value !== 'object' || value === null) return {}
    const entries = Object.entries(value).filter(
      (entry): entry is [string, string | null] =>
        entry[1] === null || typeof entry[1] === 'string',
    )
    return Object.fromEntries(entries)
  } catch {
    return {}
  }
}
