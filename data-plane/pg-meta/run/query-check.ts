import { setImmediate as breathe } from 'node:timers/promises'
import { bindNames, parameterNames } from '#contract/database/sql/sql-parameters'
import { splitScript } from '#contract/database/sql/sql-script'
import type { Statement } from '#contract/database/sql/sql-statements'
import type { SqlDanger, SqlProblem } from '#contract/database/sql/sql-tools'
import { checkStatement } from '../parser.ts'
import type { Node } from 'libpg-query'

/** Statements that are looked into; a dump of thousands needs no underlines. */
const maxStatements = 300

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
  for (const statement of statements.slice(0, maxStatements)) {
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

/** Statements that only write down what may run another time. */
const kept = new Set(['CreateFunctionStmt', 'PrepareStmt', 'RuleStmt', 'ViewStmt'])
const destructive = new Set(['DeleteStmt', 'TruncateStmt'])

/**
 * Why a statement is to be asked about before it runs, read from its parse tree: what drops, deletes or truncates, an
 * UPDATE without WHERE, and ALTER DATABASE (facts §10). It looks into WITH, COPY and EXPLAIN ANALYZE, where such a
 * statement may hide; the body of a DO block is text to the parser and is searched for the words.
 */
function dangerOf(node: Node): SqlDanger['kind'] | undefined {
  const found = new Set<SqlDanger['kind']>()
  look(node, found)
  const order = ['destructive', 'update-without-where', 'alter-database'] as const
  return order.find((kind) => found.has(kind))
}

function look(value: unknown, found: Set<SqlDanger['kind']>): void {
  if (Array.isArray(value)) for (const item of value) look(item, found)
  else if (typeof value === 'object' && value !== null)
    for (const [name, inside] of Object.entries(value)) {
      if (kept.has(name) || (name === 'ExplainStmt' && !runs(inside))) continue
      const kind = kindOf(name, inside)
      if (kind) found.add(kind)
      look(inside, found)
    }
}

function kindOf(name: string, node: unknown): SqlDanger['kind'] | undefined {
  if (name === 'UpdateStmt') return has(node, 'whereClause') ? undefined : 'update-without-where'
  if (name === 'AlterDatabaseStmt' || name === 'AlterDatabaseSetStmt') return 'alter-database'
  if (destructive.has(name) || /^Drop\w*Stmt$/.test(name)) return 'destructive'
  const isDrop = name === 'AlterTableCmd' && partOf(node, 'subtype') === 'AT_DropColumn'
  const isMerge = name === 'MergeWhenClause' && partOf(node, 'commandType') === 'CMD_DELETE'
  const isBlock = name === 'DoStmt' && /\b(?:drop|delete|truncate)\b/i.test(JSON.stringify(node))
  return isDrop || isMerge || isBlock ? 'destructive' : undefined
}

/** EXPLAIN runs its statement when ANALYZE is among its options and not switched off. */
function runs(explain: unknown): boolean {
  const options = partOf(explain, 'options')
  return Array.isArray(options) && options.some(isAnalyze)
}

const isAnalyze = (option: unknown): boolean => {
  const element = partOf(option, 'DefElem')
  const value = JSON.stringify(partOf(element, 'arg') ?? true).toLowerCase()
  return (
    partOf(element, 'defname') === 'analyze' &&
    !/"(?:false|off)"|"boolval":\{\}|"ival":\{\}/.test(value)
  )
}

const partOf = (node: unknown, name: string): unknown =>
  typeof node === 'object' && node !== null ? Reflect.get(node, name) : undefined
const has = (node: unknown, name: string) => partOf(node, name) !== undefined
