import { ApiError } from '#kit/errors'
import { LibraryError } from '#kit/library-thread'
import { parseSql } from '../parser.ts'
import { callLibrary } from '../sql-libraries.ts'

/** No text nests this deep; a tree that does would only exhaust the stack. */
const deepest = 1200

/**
 * SQL of a parse tree of statements, as the parser of Postgres 18 makes them. The text is read again and compared with
 * the tree, so that what comes out means what went in; whatever cannot be said so is refused.
 */
export async function deparse(ast: Record<string, unknown>): Promise<string> {
  const statements = statementsOf(ast)
  const sql = await written(statements)
  const again = await parseSql(sql)
  if (again && meaning(again.map(({ stmt }) => stmt)) === meaning(statements)) return sql
  throw new ApiError('invalid_input', 'This tree cannot be expressed as SQL')
}

function statementsOf({ stmts }: Record<string, unknown>): unknown[] {
  const list: unknown[] = Array.isArray(stmts) ? stmts : []
  const statements = list.map((one) => (isObject(one) ? one['stmt'] : undefined))
  if (statements.length === 0) throw new ApiError('invalid_input', 'This tree has no statement')
  if (!statements.every((one) => isObject(one) && Object.values(one).every(isObject)))
    throw new ApiError('invalid_input', 'A statement in this tree is not valid')
  if (depthOf(statements) > deepest)
    throw new ApiError('invalid_input', 'This tree is nested too deeply')
  return statements
}

async function written(statements: unknown[]): Promise<string> {
  const one = (stmt: unknown) =>
    callLibrary('pgsql-deparser', 'deparse', { stmts: [{ stmt }] }, { pretty: false })
  try {
    // What is no tree of the parser's is found by reading the text again.
    return (await Promise.all(statements.map(one))).join(';\n')
  } catch (error) {
    // It tells what it does not know by an Error, and a part that is missing by whatever JavaScript says to that.
    if (!(error instanceof LibraryError)) throw error
    throw new ApiError('invalid_input', `This cannot be written as SQL here: ${error.message}`)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Level by level: a tree that is too deep must not be followed by calls. */
function depthOf(value: unknown): number {
  let depth = 0
  for (let level = [value]; level.length > 0; depth += 1)
    level = level.flatMap((one) =>
      // Of an array its parts, of an object its properties.
      typeof one === 'object' && one !== null ? (Object.values(one) as unknown[]) : [],
    )
  return depth
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
