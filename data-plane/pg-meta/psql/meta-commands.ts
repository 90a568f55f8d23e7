import { closest } from 'fastest-levenshtein'
import { clientCopy } from '#contract/database/sql/sql-copy'
import type { MetaCommand } from '#contract/database/sql/sql-script'
import type { Refusal } from '../run/run-session.ts'
import * as catalog from './catalog-queries.ts'
import * as relation from './relation-queries.ts'

export type CatalogQuery = { title: string; text: string; values: (string | null)[] }

/** What becomes of a command of psql. */
export type MetaAnswer =
  | { queries: CatalogQuery[] }
  /** The statement that it stands for. */
  | { sql: string }
  | { refused: Refusal }
  /** There is nothing to do in the database. */
  | { message?: string; expanded?: boolean; quits?: true }

const lists: Readonly<Record<string, { title: string; text: string }>> = {
  df: { title: 'List of functions', text: catalog.functions },
  dT: { title: 'List of data types', text: catalog.types },
  dn: { title: 'List of schemas', text: catalog.schemas },
  du: { title: 'List of roles', text: catalog.roles },
  dg: { title: 'List of roles', text: catalog.roles },
  dx: { title: 'List of installed extensions', text: catalog.extensions },
  l: { title: 'List of databases', text: catalog.databases },
}

/** The letters of `\dt`, `\dtv` and so on, and what they are in pg_class. */
const kinds: Readonly<Record<string, { name: string; kinds: string[] }>> = {
  t: { name: 'tables', kinds: ['r', 'p'] },
  v: { name: 'views', kinds: ['v'] },
  m: { name: 'materialized views', kinds: ['m'] },
  i: { name: 'indexes', kinds: ['i', 'I'] },
  s: { name: 'sequences', kinds: ['S'] },
  E: { name: 'foreign tables', kinds: ['f'] },
}

/** Commands about how psql itself reads and prints. */
const passedOver: Readonly<Record<string, string>> = {
  timing: 'Every result shows how long it took.',
  pset: 'The editor shows results in its own way.',
  a: 'The editor shows results in its own way.',
  t: 'The editor shows results in its own way.',
  set: 'A script stops at its first error. Values of :name are asked for.',
  unset: 'Values of :name are asked for.',
  restrict: '',
  unrestrict: '',
  encoding: 'Scripts are UTF-8.',
}

const noFiles =
  'The editor does not read or write files on the server. Use Run a .sql file for a script, \\copy for data.'
const refused: Readonly<Record<string, string>> = {
  '!': 'The editor does not run shell commands.',
  i: noFiles,
  ir: noFiles,
  include: noFiles,
  include_relative: noFiles,
  o: noFiles,
  w: noFiles,
  e: 'The text is open in this editor already.',
  password: 'Change the database password in the database settings.',
}

const names = [
  ...'d x conninfo copy c connect echo q g gx'.split(' '),
  ...Object.keys(lists),
  ...Object.keys(kinds).map((letter) => `d${letter}`),
  ...Object.keys(passedOver),
  ...Object.keys(refused),
]

/** What a command of psql means here. `expanded`: whether `\x` is on now. */
export function answerTo({ name, rest }: MetaCommand, expanded: boolean): MetaAnswer {
  const [, base = '', flags = ''] = /^(.*?)([S+]*)$/.exec(name) ?? []
  const system = flags.includes('S')
  if (base === 'd') return rest === '' ? relationsOf('tvmsE', rest, system) : describe(rest, system)
  const list = lists[base]
  if (list) return { queries: [{ ...list, values: valuesOf(rest, system) }] }
  if (/^d[tvmisE]+$/.test(base)) return relationsOf(base.slice(1), rest, system)
  const reason = refused[name]
  if (reason !== undefined) return { refused: { code: '0A000', message: `\\${name}: ${reason}` } }
  const message = passedOver[name]
  if (message !== undefined) return message === '' ? {} : { message }
  return others(name, rest, expanded)
}

function others(name: string, rest: string, expanded: boolean): MetaAnswer {
  switch (name) {
    case 'x': {
      const next = /^(?:on|auto|true|1)$/i.test(rest) || (rest === '' && !expanded)
      return { expanded: next, message: `Expanded display is ${next ? 'on' : 'off'}.` }
    }
    case 'conninfo':
      return { queries: [{ title: 'Connection', text: catalog.connection, values: [] }] }
    case 'echo':
    case 'qecho':
    case 'warn':
      return { message: rest.replaceAll(/^'|'$/g, '') }
    case 'q':
      return { message: 'The script ends here.', quits: true }
    case 'c':
    case 'connect':
      return connectTo(rest)
    case 'copy':
      return copy(rest)
    default:
      return { refused: unknown(name) }
  }
}

const unknown = (name: string): Refusal => ({
  code: '42601',
  message: `There is no command \\${name}`,
  hint: `The nearest one is \\${closest(name, names)}.`,
})

/** A dump connects to the database that it restores; here there is one, and it is connected already. */
function connectTo(rest: string): MetaAnswer {
  const database = /^(?:-reuse-previous=\w+\s+)?(?:"([^"]*)"|'([^']*)'|(\S*))/.exec(rest)
  const name = database?.[1] ?? database?.[2] ?? database?.[3] ?? ''
  if (['', '-', 'postgres', 'dbname=postgres'].includes(name)) return {}
  const message = `A project has one database, postgres: nothing can connect to "${name}" here`
  const hint = 'Take the line away to run the rest in this database.'
  return { refused: { code: '0A000', message, hint } }
}

function copy(rest: string): MetaAnswer {
  const parsed = clientCopy(rest)
  if (parsed) return { sql: parsed.sql }
  const message = '\\copy needs a table or a query, FROM or TO, and a file'
  return { refused: { code: '42601', message, hint: "Such as \\copy books from 'books.csv' csv" } }
}

function valuesOf(text: string, system: boolean): (string | null)[] {
  const { schema, name } = readPattern(text)
  return [schema, name, String(system)]
}

function relationsOf(letters: string, rest: string, system: boolean): MetaAnswer {
  const chosen = letters.split('').flatMap((letter) => kinds[letter] ?? [])
  const title = chosen.length === 1 ? `List of ${chosen[0]?.name}` : 'List of relations'
  const kindList = `{${chosen.flatMap(({ kinds: all }) => all).join(',')}}`
  const values = [...valuesOf(rest, system), kindList]
  return { queries: [{ title, text: catalog.relations, values }] }
}

/** The columns of a relation, or of all that a pattern finds, and what else belongs to it. */
function describe(rest: string, system: boolean): MetaAnswer {
  const isOne = isPlainName(rest)
  const values = isOne ? [rest] : valuesOf(rest, system)
  const [columns, parts] = isOne
    ? [relation.columnsByName, relation.partsByName]
    : [relation.columnsByPattern, relation.partsByPattern]
  return {
    queries: [
      { title: `Columns of ${rest}`, text: columns, values },
      { title: 'Indexes, constraints, policies, triggers', text: parts, values },
    ],
  }
}

/** A name as psql's commands take it, as regular expressions of Postgres; null is any. */
type Pattern = { schema: string | null; name: string | null }

/**
 * Reads `books`, `b*`, `public.*`, `"My table"`: a star is any text, a question mark any character, and letters outside
 * of quotes are small.
 */
function readPattern(text: string): Pattern {
  const parts: string[] = ['']
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '"' && quoted && text.charAt(at + 1) === '"') {
      parts.push(`${parts.pop() ?? ''}"`)
      at += 1
    } else if (char === '"') quoted = !quoted
    else if (char === '.' && !quoted) parts.push('')
    else parts.push(`${parts.pop() ?? ''}${quoted ? literal(char) : wildcard(char)}`)
  }
  const name = parts.pop() ?? ''
  return { schema: whole(parts.pop()), name: whole(name) }
}

/** Whether a name can be only one. */
const isPlainName = (text: string): boolean => !/[*?]/.test(text.replaceAll(/"[^"]*"/g, ''))

const literal = (char: string) => (/[\p{L}\p{N}_]/u.test(char) ? char : `[${escaped(char)}]`)
/** What would mean something within brackets. */
const escaped = (char: string) => (/[\\\]^[-]/.test(char) ? `\\${char}` : char)
const wildcard = (char: string) =>
  char === '*' ? '.*' : char === '?' ? '.' : literal(char.toLowerCase())

const whole = (part: string | undefined) => (part ? `^(${part})$` : null)
