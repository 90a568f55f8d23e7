import { DatabaseError, type PoolClient } from 'pg'
import { qualified } from '../ddl-parts.ts'
import { checkStatement, isExpression } from '../parser.ts'

type Checked = { schema: string; table: string; expression: string }
/** `position` counts characters of the expression from 1. */
type Problem = { message: string; position?: number }

/**
 * Whether an expression can stand in a policy of this table. The grammar says whether it is one expression; then Postgres
 * plans a query with it as its condition, which changes nothing, and knows its columns, functions and type.
 */
export async function checkPolicyExpression(
  db: PoolClient,
  { schema, table, expression }: Checked,
): Promise<{ problem: Problem | null }> {
  if (expression.trim() === '') return { problem: { message: 'There is no expression' } }
  const wrong = await grammarProblem(expression)
  if (wrong) return { problem: wrong }
  const start = `explain select from ${qualified(schema, table)} where (\n`
  const sql = `${start}${expression}\n)`
  await db.query('begin read only')
  try {
    await db.query("set local statement_timeout = '3s'")
    await db.query(sql)
    return { problem: null }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    return {
      problem: { message: error.message, ...placed(expression, start, Number(error.position)) },
    }
  } finally {
    // A session that cannot even roll back is thrown away by its pool; the first error is the one to tell.
    await db.query('rollback').catch(() => undefined)
  }
}

async function grammarProblem(expression: string): Promise<Problem | undefined> {
  const start = 'select (\n'
  const read = await checkStatement(`${start}${expression}\n)`)
  if ('message' in read) {
    // Our own parenthesis is nothing to tell about.
    const ended = read.position >= Array.from(start + expression).length
    const message = ended ? 'The expression is not complete' : read.message
    return { message, ...placed(expression, start, read.position + 1) }
  }
  // It could say anything behind its parenthesis, so it goes no further.
  return (await isExpression(expression))
    ? undefined
    : { message: 'This is more than one SQL expression' }
}

/** A position in the whole text as one in the expression, which it may be just behind. */
function placed(expression: string, start: string, position: number): { position?: number } {
  const at = position - Array.from(start).length
  const last = Array.from(expression).length
  return Number.isNaN(at) || at < 1 ? {} : { position: Math.min(at, last) }
}
