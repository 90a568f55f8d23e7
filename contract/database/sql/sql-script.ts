import { clientCopy } from './sql-copy.ts'
import { createLineCounter, findStatement, type Statement } from './sql-statements.ts'

/** A command of psql, such as `\d books`: its name and what stands behind it on its line. */
export type MetaCommand = { name: string; rest: string }

/** A statement or a command of psql. */
export type ScriptItem = Statement & {
  meta?: MetaCommand
  /** COPY ... FROM STDIN, or `\copy ... from`. */
  takesData?: true
  /** `\gx`: its rows are wanted on their side. */
  isExpanded?: true
  /** Where its data lie in the text, without the line `\.` behind them. */
  data?: { start: number; end: number }
}

/**
 * `data`: where the data of a COPY would begin. `next` is where reading goes on when there are none. `isWhole`: it stays
 * as it is, whatever came behind this text.
 */
type Step = { item: ScriptItem | undefined; next: number; data?: number; isWhole: boolean }

/**
 * Splits a script as psql reads it: statements, its own commands, which begin with a backslash and go to the end of their
 * line, and the lines of data below a COPY ... FROM STDIN up to a line `\.`. Without such a line there are no data.
 */
export function splitScript(sql: string): ScriptItem[] {
  const lineAt = createLineCounter(sql)
  const items: ScriptItem[] = []
  for (let at = 0; at < sql.length;) {
    const { item, next, data } = readItem(sql, at)
    at = next
    if (!item) continue
    const end = data === undefined ? undefined : endOfData(sql, data)
    const line = lineAt(item.start)
    if (data === undefined || !end) items.push({ ...item, line })
    else {
      items.push({ ...item, line, data: { start: data, end: end.end } })
      at = end.next
    }
  }
  return items
}

/** The item that begins at or behind `from`. Lines are counted by the caller. */
export function readItem(sql: string, from: number): Step {
  const { statement, next, by } = findStatement(sql, from, true)
  if (by === 'backslash') return readCommand(sql, from, statement, next)
  const isWhole = by === 'semicolon'
  if (!statement) return { item: undefined, next, isWhole }
  const item: ScriptItem = { ...statement, line: 0 }
  if (!isWhole || !takesData(statement.words)) return { item, next, isWhole }
  const below = endOfLine(sql, next)
  // More SQL on the same line: the data could only be below that.
  const isAlone = sql.slice(next, below).trim() === ''
  return {
    item: { ...item, takesData: true },
    next,
    isWhole: below < sql.length,
    ...(isAlone ? { data: below + 1 } : {}),
  }
}

function readCommand(
  sql: string,
  from: number,
  statement: Omit<Statement, 'line'> | undefined,
  at: number,
): Step {
  const next = endOfLine(sql, at)
  const text = sql.slice(at, next).trimEnd()
  const isWhole = next < sql.length
  if (!statement) return { next, isWhole, ...commandOf(text, at, next) }
  // `\g` sends a statement as a semicolon does. No other command stands in one: what it is, Postgres says.
  if (text === '\\g') return { item: { ...statement, line: 0 }, next, isWhole }
  if (text === '\\gx') return { item: { ...statement, line: 0, isExpanded: true }, next, isWhole }
  const whole = findStatement(sql, from)
  return {
    item: whole.statement && { ...whole.statement, line: 0 },
    next: whole.next,
    isWhole: isWhole && whole.by === 'semicolon',
  }
}

function commandOf(text: string, start: number, next: number): Omit<Step, 'next' | 'isWhole'> {
  const [, name = '', rest = ''] = /^\\([^\s\\]*)\s*(.*?)[\s;]*$/.exec(text) ?? []
  const end = start + text.length
  const item: ScriptItem = { text, start, end, line: 0, words: [], meta: { name, rest } }
  const copy = name === 'copy' ? clientCopy(rest) : undefined
  if (copy?.direction !== 'from') return { item }
  const reads: ScriptItem = { ...item, takesData: true }
  return copy.file === undefined ? { item: reads, data: next + 1 } : { item: reads }
}

const takesData = (words: readonly string[]) =>
  words[0] === 'copy' && words.some((word, at) => word === 'from' && words[at + 1] === 'stdin')

function endOfLine(sql: string, at: number): number {
  const end = sql.indexOf('\n', at)
  return end < 0 ? sql.length : end
}

const endMark = /\n\\\.\r?(?=\n|$)/g

/** Where data end that begin at `start`, and where reading goes on. Undefined without a line `\.`. */
export function endOfData(sql: string, start: number): { end: number; next: number } | undefined {
  // The first line may be that line already.
  endMark.lastIndex = start - 1
  const found = endMark.exec(sql)
  return found ? { end: found.index + 1, next: endMark.lastIndex } : undefined
}
