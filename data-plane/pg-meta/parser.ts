import type { Node, parse, RawStmt } from 'libpg-query'
import { LibraryError } from '#kit/library-thread'
import { callLibrary } from './sql-libraries.ts'

/** What the grammar says against a text; `position` counts characters from 0. */
export type GrammarProblem = { message: string; position: number | undefined }

type ParseResult = Awaited<ReturnType<typeof parse>>

/** The parse tree of a text by Postgres's own grammar, or what is wrong with it. @throws ApiError for too much SQL */
export async function readSql(text: string): Promise<ParseResult | GrammarProblem> {
  try {
    return (await callLibrary('libpg-query', 'parse', text)) as ParseResult
  } catch (error) {
    if (!(error instanceof LibraryError)) throw error
    const { sqlDetails } = error.details as { sqlDetails?: Partial<Record<string, unknown>> }
    // Anything else is a fault of the parser, and no answer about the text.
    if (!sqlDetails) throw error
    const { message = error.message, cursorPosition } = sqlDetails
    return {
      message: String(message),
      position: typeof cursorPosition === 'number' ? cursorPosition : undefined,
    }
  }
}

/** The statements of a text; undefined when it is not SQL: whatever the grammar refuses, the server will in its own words. */
export async function parseSql(text: string): Promise<RawStmt[] | undefined> {
  const read = await readSql(text)
  return 'message' in read ? undefined : (read.stmts ?? [])
}

/** One statement's tree, or what the grammar says against it. */
export async function checkStatement(
  text: string,
): Promise<{ node: Node | undefined } | { message: string; position: number }> {
  const read = await readSql(text)
  if ('message' in read) return { message: read.message, position: Math.max(0, read.position ?? 0) }
  return { node: read.stmts?.[0]?.stmt }
}

/**
 * True for one SQL expression and nothing else, so that text from outside cannot break out of the parentheses that
 * it is put between: `0), drop column c` is none. Between parentheses alone `0) or (1` would look like one, so the text
 * has to be an expression, or a query, by itself, too: then it closes no parenthesis that it has not opened.
 */
export async function isExpression(text: string): Promise<boolean> {
  if (!(await onlyTarget(`select (\n${text}\n)`))) return false
  return Boolean(await onlyTarget(`select\n${text}\n`)) || isQuery(text)
}

async function isQuery(text: string): Promise<boolean> {
  const [statement, ...more] = (await parseSql(text)) ?? []
  const node = statement?.stmt
  return more.length === 0 && node !== undefined && 'SelectStmt' in node
}

/** What a text selects, when that is one value without a name and the text says nothing else. */
async function onlyTarget(text: string): Promise<Node | undefined> {
  const [statement, ...more] = (await parseSql(text)) ?? []
  const node = statement?.stmt
  if (more.length > 0 || !node || !('SelectStmt' in node)) return undefined
  const { targetList = [], limitOption, op, ...clauses } = node.SelectStmt
  const plain = limitOption === 'LIMIT_OPTION_DEFAULT' && op === 'SETOP_NONE'
  if (!plain || targetList.length !== 1 || Object.keys(clauses).length > 0) return undefined
  const [target] = targetList
  return target && 'ResTarget' in target && !target.ResTarget.name
    ? target.ResTarget.val
    : undefined
}

/** True for the name of a type and nothing else: `int8`, `varchar(20)[]`, `timestamp(3) with time zone`, `app."My type"`. */
export async function isTypeName(text: string): Promise<boolean> {
  const value = await onlyTarget(`select null::\n${text}\n`)
  const isCast = value !== undefined && 'TypeCast' in value
  return isCast && value.TypeCast.arg !== undefined && 'A_Const' in value.TypeCast.arg
}
