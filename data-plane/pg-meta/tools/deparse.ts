import { deparse as writeOut } from 'pgsql-deparser'
import { ApiError } from '#kit/errors'

type Tree = Parameters<typeof writeOut>[0]

/** No text nests this deep; a tree that does would only exhaust the stack. */
const deepest = 1200

/**
 * SQL of a parse tree of statements, as the parser of Postgres 18 makes them. The text is read again and compared with
 * the tree, so that what comes out means what went in; whatever can not be said so is refused.
 */
export async function deparse(ast: Record<string, unknown>): Promise<string> {
  const statements = statementsOf(ast)
  const sql = await written(statements)
  const { hasSqlDetails, parse } = await import('libpg-query')
  try {
    const again = (await parse(sql)).stmts ?? []
    if (meaning(again.map(({ stmt }) => stmt)) === meaning(statements)) return sql
  } catch (error) {
    if (!hasSqlDetails(error)) throw error
  }
  throw new ApiError('invalid_input', 'This tree is none that SQL can say')
}

function statementsOf({ stmts }: Record<string, unknown>): unknown[] {
  const list: unknown[] = Array.isArray(stmts) ? stmts : []
  const statements = list.map((one) => (isObject(one) ? one['stmt'] : undefined))
  if (statements.length === 0) throw new ApiError('invalid_input', 'This tree has no statement')
  if (!statements.every((one) => isObject(one) && Object.values(one).every(isObject)))
    throw new ApiError('invalid_input', 'This tree has a statement that is none')
  if (depthOf(statements) > deepest) throw new ApiError('invalid_input', 'This tree is too deep')
  return statements
}

async function written(statements: unknown[]): Promise<string> {
  try {
    const texts = await Promise.all(
      // What is no tree of the parser's is found by reading the text again.
      statements.map((stmt) => writeOut({ stmts: [{ stmt }] } as Tree, { pretty: false })),
    )
    return texts.join(';\n')
  } catch (error) {
    // It tells what it does not know by an Error, and a part that is missing by whatever JavaScript says to that.
    const reason = error instanceof Error ? error.message : String(error)
    throw new ApiError('invalid_input', `This can not be written as SQL here: ${reason}`)
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
