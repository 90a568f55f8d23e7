import { tokensOf } from './sql-statements.ts'

/** What `\copy` asks for. `file` is undefined for the standard streams. */
export type ClientCopy = {
  direction: 'from' | 'to'
  file: string | undefined
  /** The same for Postgres, which reads and writes what its client has. */
  sql: string
}

/** Reads what stands behind `\copy`. Undefined when it is not understood, and for PROGRAM, which nothing here runs. */
export function clientCopy(rest: string): ClientCopy | undefined {
  const way = directionIn(rest)
  if (!way) return undefined
  const [, name = '', options = ''] = /^\s*('(?:[^']|'')*'|\S+)\s*(.*)$/s.exec(way.behind) ?? []
  if (way.what.trim() === '' || name === '' || /^program$/i.test(name)) return undefined
  const { direction } = way
  const isStream = /^p?std(?:in|out)$/i.test(name)
  const file = name.startsWith("'") ? name.slice(1, -1).replaceAll("''", "'") : name
  const stream = direction === 'from' ? 'stdin' : 'stdout'
  const sql = `copy ${way.what.trim()} ${direction} ${stream} ${options}`.trimEnd()
  return { direction, file: isStream ? undefined : file, sql }
}

/** At the first FROM or TO outside of parentheses: a query stands in some. */
function directionIn(rest: string) {
  let parens = 0
  for (const { kind, start, end } of tokensOf(rest)) {
    const text = rest.slice(start, end).toLowerCase()
    if (text === '(') parens += 1
    else if (text === ')') parens -= 1
    else if (kind === 'word' && parens === 0 && (text === 'from' || text === 'to')) {
      const direction: ClientCopy['direction'] = text
      return { what: rest.slice(0, start), direction, behind: rest.slice(end) }
    }
  }
  return undefined
}
