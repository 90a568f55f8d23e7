import type { Node, RawStmt } from 'libpg-query'

let loaded: Promise<typeof import('libpg-query')> | undefined

/** The statements of a text by Postgres's own grammar; undefined when it is not SQL. Loads the parser at first use. */
export async function parseSql(text: string): Promise<RawStmt[] | undefined> {
  loaded ??= import('libpg-query')
  const { hasSqlDetails, parse } = await loaded
  try {
    return (await parse(text)).stmts ?? []
  } catch (error) {
    // Whatever it refuses, the server will refuse too, in its own words.
    if (hasSqlDetails(error)) return undefined
    throw error
  }
}

/** One statement's tree, or what the grammar says against it; `position` counts characters from 0. */
export async function checkStatement(
  text: string,
): Promise<{ node: Node | undefined } | { message: string; position: number }> {
  loaded ??= import('libpg-query')
  const { hasSqlDetails, parse } = await loaded
  try {
    return { node: (await parse(text)).stmts?.[0]?.stmt }
  } catch (error) {
    if (!hasSqlDetails(error)) throw error
    return { message: error.message, position: Math.max(0, error.sqlDetails?.cursorPosition ?? 0) }
  }
}

/**
 * True for one SQL expression and nothing else, so that text from outside can not break out of the parentheses that
 * it is put between: `0), drop column c` is none.
 */
export async function isExpression(text: string): Promise<boolean> {
  const [statement, ...more] = (await parseSql(`select (\n${text}\n)`)) ?? []
  const node = statement?.stmt
  if (more.length > 0 || !node || !('SelectStmt' in node)) return false
  const { targetList = [], limitOption, op, ...clauses } = node.SelectStmt
  const plain = limitOption === 'LIMIT_OPTION_DEFAULT' && op === 'SETOP_NONE'
  const [target] = targetList
  const unnamed = target !== undefined && 'ResTarget' in target && !target.ResTarget.name
  return plain && unnamed && targetList.length === 1 && Object.keys(clauses).length === 0
}

/** True for the name of a type and nothing else: `int8`, `varchar(20)[]`, `timestamp(3) with time zone`, `app."My type"`. */
export async function isTypeName(text: string): Promise<boolean> {
  const [statement, ...more] = (await parseSql(`select null::\n${text}\n`)) ?? []
  const node = statement?.stmt
  if (more.length > 0 || !node || !('SelectStmt' in node)) return false
  const { targetList = [], limitOption, op, ...clauses } = node.SelectStmt
  const plain = limitOption === 'LIMIT_OPTION_DEFAULT' && op === 'SETOP_NONE'
  const [target] = targetList
  if (!plain || targetList.length !== 1 || Object.keys(clauses).length > 0) return false
  if (!target || !('ResTarget' in target) || target.ResTarget.name) return false
  const { val } = target.ResTarget
  const isCast = val !== undefined && 'TypeCast' in val
  return isCast && val.TypeCast.arg !== undefined && 'A_Const' in val.TypeCast.arg
}
