import { splitScript } from '#contract/database/sql/sql-script'
import type { Statement } from '#contract/database/sql/sql-statements'
import type { SqlDanger as Danger } from '#contract/database/sql/sql-tools'

const destructive = new Set(['drop', 'delete', 'truncate'])
const verbs = new Set([...destructive, 'select', 'insert', 'update', 'merge', 'values', 'table'])

/**
 * The statements of a text that can lose data, told by their words: for texts that the parser is not asked about (see
 * checks.ts). It is what begins with drop, delete or truncate, an UPDATE of every row, and ALTER DATABASE,
 * which can lock everybody out (facts §10). A WITH or EXPLAIN ANALYZE in front hides none of them.
 */
export function dangersIn(sql: string): Danger[] {
  return splitScript(sql).flatMap((statement) => {
    const kind = kindOf(statement)
    return kind ? [{ kind, text: statement.text, line: statement.line }] : []
  })
}

function kindOf(statement: Statement): Danger['kind'] | undefined {
  const words = runs(statement)
  const at = words[0] === 'with' ? words.findIndex((word) => verbs.has(word)) : 0
  const verb = words[at]
  if (verb === undefined) return undefined
  if (destructive.has(verb)) return 'destructive'
  if (verb === 'update' && !words.includes('where')) return 'update-without-where'
  return verb === 'alter' && words[1] === 'database' ? 'alter-database' : undefined
}

/** The words of what really runs: EXPLAIN ANALYZE runs what it explains, EXPLAIN alone nothing. */
function runs({ text, words }: Statement): readonly string[] {
  if (words[0] !== 'explain') return words
  if (words.includes('analyze')) return words.slice(words.indexOf('analyze') + 1).filter(isNoOption)
  return /^explain\s*\([^)]*\banalyze\b/i.test(text) ? words.slice(1) : []
}
const isNoOption = (word: string) => word !== 'verbose'
