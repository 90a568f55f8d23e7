import { setImmediate as breathe } from 'node:timers/promises'
import { bindNames, parameterNames } from '#contract/database/sql/sql-parameters'
import { splitScript } from '#contract/database/sql/sql-script'
import type { Statement } from '#contract/database/sql/sql-statements'
import type { SqlDanger, SqlProblem } from '#contract/database/sql/sql-tools'
import { dangerOf } from './sql-dangers.ts'
import { checkStatement } from '../parser.ts'

/** Statements that are looked into; a dump of thousands needs no underlines. */
const mostStatements = 300

/** Milliseconds of parsing after which other people's calls get their turn. */
const longestTask = 10

/** What Postgres's grammar refuses in a text, one problem a statement, and what in it can lose data. */
export async function checkQuery(
  query: string,
): Promise<{ problems: SqlProblem[]; dangers: SqlDanger[] }> {
  const problems: SqlProblem[] = []
  const dangers: SqlDanger[] = []
  let began = performance.now()
  const statements = splitScript(query).filter(({ meta }) => !meta)
  for (const statement of statements.slice(0, mostStatements)) {
    if (performance.now() - began > longestTask) {
      await breathe()
      began = performance.now()
    }
    const { text } = bindNames(statement.text, new Set(parameterNames(statement.text)))
    const result = await checkStatement(text)
    if ('message' in result) {
      problems.push({ ...placeOf(statement, result.position), message: result.message })
      continue
    }
    const kind = result.node && dangerOf(result.node)
    if (kind) dangers.push({ kind, text: statement.text, line: statement.line })
  }
  return { problems, dangers }
}

/** The word at a place that the parser counts in characters from 0; behind the last one, the last word of the text. */
function placeOf({ text, start }: Statement, position: number): { start: number; end: number } {
  const at = Array.from(text).slice(0, position).join('').length
  const word = /^(?:[\p{L}\p{N}_$]+|\S)/u.exec(text.slice(at, at + 200))?.[0].length ?? 0
  if (word > 0) return { start: start + at, end: start + at + word }
  const last = /[\p{L}\p{N}_$]+$|\S$/u.exec(text)
  return { start: start + (last?.index ?? 0), end: start + text.length }
}
