import { tokensOf, type Token } from './sql-statements.ts'

/** A `:name` in an SQL text; `start` is the colon's UTF-16 offset, `end` lies behind the name. */
export type NamedParameter = { name: string; start: number; end: number }

/**
 * The `:name` parameters of a text in their order, each place of its own. What looks like one and is none stays out:
 * casts (`a::int`), slices (`a[1:n]`), `:=`, and everything inside strings, quoted names, dollar quotes and comments.
 */
export function parametersIn(sql: string): NamedParameter[] {
  const found: NamedParameter[] = []
  const brackets: string[] = []
  let before: Token | undefined
  let last: Token | undefined
  for (const token of tokensOf(sql)) {
    const text = sql.slice(token.start, token.end)
    if (text === '[' || text === '(') brackets.push(text)
    else if (text === ']' || text === ')') brackets.pop()
    const isName = token.kind === 'word' && last && last.end === token.start
    if (isName && sql.slice(last?.start, last?.end) === ':') {
      const isCast =
        before !== undefined && before.end === last?.start && charOf(sql, before) === ':'
      const isSlice = brackets.at(-1) === '[' && endsValue(sql, before)
      if (!isCast && !isSlice) found.push({ name: text, start: token.start - 1, end: token.end })
    }
    before = last
    last = token
  }
  return found
}

const charOf = (sql: string, token: Token) => sql.slice(token.start, token.end)

/** Words behind which a value begins: a colon there cannot be the middle of a slice. */
const openers = new Set(
  'select distinct all case when then else and or not in like ilike between is from any some'.split(
    ' ',
  ),
)

/** Whether a value ends with this token, so that a colon behind it, within brackets, is that of a slice. */
function endsValue(sql: string, token: Token | undefined): boolean {
  if (!token) return false
  const text = charOf(sql, token)
  if (token.kind === 'word') return !openers.has(text.toLowerCase())
  return token.kind === 'other' || text === ')' || text === ']' || /^\d/.test(text)
}

/** The names of a text, each once, in the order in which they first appear. */
export const parameterNames = (sql: string): string[] => [
  ...new Set(parametersIn(sql).map(({ name }) => name)),
]

/**
 * One statement with `$1`, `$2` ... in place of the `:name`s that `known` has, and their names in that order. The
 * text keeps its length in characters wherever a name is as long as its number, so that places in it stay true.
 */
export function bindNames(
  statement: string,
  known: ReadonlySet<string>,
): { text: string; names: string[] } {
  const names: string[] = []
  let text = ''
  let at = 0
  for (const { name, start, end } of parametersIn(statement)) {
    if (!known.has(name)) continue
    if (!names.includes(name)) names.push(name)
    const number = `$${names.indexOf(name) + 1}`
    text += statement.slice(at, start) + number.padEnd(Array.from(name).length + 1)
    at = end
  }
  return { text: text + statement.slice(at), names }
}
