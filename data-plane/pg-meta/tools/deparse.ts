import { ApiError } from '#kit/errors'
import { fieldsOf, list, UnknownNode, written, type Fields } from './deparse-nodes.ts'
import { statementSql } from './deparse-statement.ts'

/**
 * SQL of a parse tree: queries and what changes rows. The text is read again and compared with the tree, so that what
 * comes out means what went in; a tree that holds something else is refused by name.
 */
export async function deparse(ast: Fields): Promise<string> {
  const statements = statementsOf(ast)
  if (statements.length === 0) throw new ApiError('invalid_input', 'This tree has no statement')
  const sql = statements.map(writtenOut).join(';\n')
  const { hasSqlDetails, parse } = await import('libpg-query')
  try {
    const again = (await parse(sql)).stmts ?? []
    if (meaning(again.map(({ stmt }) => stmt)) === meaning(statements)) return sql
  } catch (error) {
    if (!hasSqlDetails(error)) throw error
  }
  throw new ApiError('invalid_input', 'This tree is none that SQL can say')
}

function statementsOf(ast: Fields): unknown[] {
  try {
    return list(ast, 'stmts').map((one) => fieldsOf(one)['stmt'])
  } catch (error) {
    throw refusal(error)
  }
}

function writtenOut(statement: unknown): string {
  try {
    return statementSql(inside(statement))
  } catch (error) {
    throw refusal(error)
  }
}

/** Where a whole statement stands inside of another one. */
const queries = new Set(['subselect', 'subquery', 'ctequery'])

/** No text nests this deep; a tree that does would only exhaust the stack. */
const deepest = 1200

/** The same tree with the statements inside of it written, innermost first. */
function inside(value: unknown, depth = 0): unknown {
  if (depth > deepest) throw new UnknownNode('a tree that is too deep')
  if (Array.isArray(value)) return value.map((part) => inside(part, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).map(([key, part]) => {
    const done = inside(part, depth + 1)
    return [key, queries.has(key) ? written(statementSql(done)) : done]
  })
  return Object.fromEntries(parts)
}

function refusal(error: unknown): unknown {
  return error instanceof UnknownNode
    ? new ApiError('invalid_input', `This can not be written as SQL here: ${error.message}`)
    : error
}

/** Where something stood in its text, and which of two spellings it had, means nothing. */
const spelling = new Set([
  'location',
  'funcformat',
  'stmt_location',
  'stmt_len',
  'list_start',
  'list_end',
])

const meaning = (value: unknown) =>
  JSON.stringify(value, (key, inner: unknown) => (spelling.has(key) ? undefined : inner))
