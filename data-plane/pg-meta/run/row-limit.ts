import type { Statement } from '#contract/database/sql/sql-statements'
import { parseSql } from '../parser.ts'

/** Longer texts are not looked into: nobody reads 100 rows of them, and the parser would need much memory. */
const longestParsed = 100_000
const mayBeSelect = new Set(['select', 'with', 'values', 'table'])

/**
 * The text with a LIMIT when it is one SELECT that has none of its own (facts §10), else undefined. Only the real
 * parser can tell: a WITH may end in an INSERT, and a SELECT may create a table.
 */
export async function limitSingleSelect(
  statements: readonly Statement[],
  limit: number | null,
): Promise<string | undefined> {
  const [statement, second] = statements
  if (limit === null || !statement || second || statement.text.length > longestParsed)
    return undefined
  const first = statement.words[0]
  if (!statement.text.startsWith('(') && !mayBeSelect.has(first ?? '')) return undefined
  const select = await selectOf(statement.text)
  if (!select || select.limitCount || select.limitOffset || select.intoClause) return undefined
  // On a line of its own, because the text may end in a comment.
  return `${statement.text}\nlimit ${limit}`
}

async function selectOf(text: string) {
  const parsed = await parseSql(text)
  const node = parsed?.length === 1 ? parsed[0]?.stmt : undefined
  return node && 'SelectStmt' in node ? node.SelectStmt : undefined
}
