import { tokensOf } from '#contract/database/sql/sql-statements'

/** The call that the end of a text is in: `round(price, |` is round at its second argument. */
export type CallAt = { name: string; argument: number }

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
