/**
 * One statement of an SQL text. `start` and `end` are UTF-16 offsets into the whole text, without the closing
 * semicolon and without leading space or comments; `line` counts from 1.
 */
export type Statement = { text: string; start: number; end: number; line: number; words: string[] }

/** `kind` of numbers and signs is punctuation; strings, quoted names and dollar quotes are other. */
export type Token = { kind: 'word' | 'punctuation' | 'other'; start: number; end: number }

/** Where the next statement of a text ends, and how it was ended. */
export type Found = {
  /** Undefined at a lone semicolon. */
  statement: Omit<Statement, 'line'> | undefined
  /** Where reading goes on. */
  next: number
  by: 'semicolon' | 'backslash' | 'end'
}

/**
 * Splits a text at semicolons outside strings, quoted names, dollar quotes, comments, parentheses and the BEGIN ATOMIC
 * body of a routine. It never fails; what is not SQL is left for the server to refuse. `words` are the statement's
 * unquoted words outside parentheses, in lower case. For scripts with data and commands of psql see sql-script.ts.
 */
export function splitStatements(sql: string): Statement[] {
  const lineAt = createLineCounter(sql)
  const statements: Statement[] = []
  for (let at = 0; at < sql.length;) {
    const { statement, next } = findStatement(sql, at)
    if (statement) statements.push({ ...statement, line: lineAt(statement.start) })
    at = next
  }
  return statements
}

/** The statement that begins at or behind `from`. `isPsql`: a backslash outside of everything ends it, too. */
export function findStatement(sql: string, from: number, isPsql = false): Found {
  const words: string[] = []
  let start = -1
  let end = from
  let parens = 0
  let blocks = 0
  const found = (next: number, by: Found['by']): Found => ({
    statement: start < 0 ? undefined : { text: sql.slice(start, end), start, end, words },
    next,
    by,
  })
  for (const token of tokensOf(sql, from)) {
    const text = token.end - token.start === 1 ? sql.charAt(token.start) : ''
    if (text === ';' && parens === 0 && blocks === 0) return found(token.end, 'semicolon')
    if (isPsql && text === '\\' && parens === 0) return found(token.start, 'backslash')
    if (start < 0) start = token.start
    end = token.end
    if (text === '(') parens += 1
    else if (text === ')') parens = Math.max(0, parens - 1)
    else if (token.kind === 'word' && parens === 0) {
      const word = sql.slice(token.start, token.end).toLowerCase()
      blocks = Math.max(0, blocks + depthOf(word, words, blocks))
      words.push(word)
    }
  }
  return found(sql.length, 'end')
}

/** In a CREATE FUNCTION or PROCEDURE, `begin atomic` opens a body; inside it `case` opens too and `end` closes. */
function depthOf(word: string, words: readonly string[], blocks: number): number {
  if (words[0] !== 'create') return 0
  const what = words[1] === 'or' && words[2] === 'replace' ? words[3] : words[1]
  if (what !== 'function' && what !== 'procedure') return 0
  if (word === 'atomic') return words.at(-1) === 'begin' ? 1 : 0
  if (word === 'case') return blocks > 0 ? 1 : 0
  return word === 'end' && blocks > 0 ? -1 : 0
}

/** Counts lines from 1; it is asked for places that never go back. */
export function createLineCounter(sql: string, line = 1): (place: number) => number {
  let at = 0
  let counted = line
  return (place) => {
    for (; at < place; at += 1) if (sql.charCodeAt(at) === 10) counted += 1
    return counted
  }
}

const word = /[\p{L}_][\p{L}\p{N}_$]*/uy
const number = /\d[\w.]*/y
const dollarTag = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy
const space = /\s+/y
const continued = /[^\S\n]*\n\s*'/y

/** The parts of a text that mean something, without space and comments. */
export function* tokensOf(sql: string, from = 0): Generator<Token> {
  let at = from
  while (at < sql.length) {
    const start = at
    const char = sql.charAt(at)
    const two = sql.slice(at, at + 2)
    if (match(space, sql, at)) at = space.lastIndex
    else if (two === '--') at = endOfLine(sql, at)
    else if (two === '/*') at = endOfComment(sql, at)
    else if (char === "'") {
      at = endOfQuote(sql, at, "'", false)
      yield { kind: 'other', start, end: at }
    } else if (char === '"') {
      at = endOfQuote(sql, at, '"', false)
      yield { kind: 'other', start, end: at }
    } else if (/^[eE]'/.test(two)) {
      at = endOfEscapes(sql, at + 1)
      yield { kind: 'other', start, end: at }
    } else if (match(dollarTag, sql, at)) {
      const tag = sql.slice(at, dollarTag.lastIndex)
      const close = sql.indexOf(tag, at + tag.length)
      at = close < 0 ? sql.length : close + tag.length
      yield { kind: 'other', start, end: at }
    } else if (match(word, sql, at)) {
      at = word.lastIndex
      yield { kind: 'word', start, end: at }
    } else {
      at = match(number, sql, at) ? number.lastIndex : at + 1
      yield { kind: 'punctuation', start, end: at }
    }
  }
}

function match(pattern: RegExp, sql: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(sql)
}

function endOfLine(sql: string, at: number): number {
  const end = sql.indexOf('\n', at)
  return end < 0 ? sql.length : end + 1
}

/** Comments nest in Postgres. */
function endOfComment(sql: string, at: number): number {
  let depth = 0
  for (let i = at; i < sql.length; i += 1) {
    const two = sql.slice(i, i + 2)
    if (two === '/*') depth += 1
    else if (two === '*/') depth -= 1
    else continue
    i += 1
    if (depth === 0) return i + 1
  }
  return sql.length
}

/** Such a string goes on, escapes and all, with a quote on a line below it. */
function endOfEscapes(sql: string, open: number): number {
  const end = endOfQuote(sql, open, "'", true)
  return match(continued, sql, end) ? endOfEscapes(sql, continued.lastIndex - 1) : end
}

function endOfQuote(sql: string, open: number, quote: string, escapes: boolean): number {
  for (let i = open + 1; i < sql.length; i += 1) {
    const char = sql.charAt(i)
    if (escapes && char === '\\') i += 1
    else if (char === quote) {
      if (sql.charAt(i + 1) !== quote) return i + 1
      i += 1
    }
  }
  return sql.length
}

/** What would commit or roll back before the end of a transaction that somebody else has begun. Savepoints stay within. */
export function leavesTransaction({ words }: Pick<Statement, 'words'>): boolean {
  const [first = '', second = ''] = words
  if (first === 'rollback') return !words.includes('to')
  if (first === 'prepare') return second === 'transaction'
  return ['begin', 'start', 'commit', 'end', 'abort'].includes(first)
}
