import type { Node } from 'libpg-query'
import type { SqlDanger } from '#contract/database/sql/sql-tools'

/** Statements that only write down what may run another time. */
const kept = new Set(['CreateFunctionStmt', 'PrepareStmt', 'RuleStmt', 'ViewStmt'])
const destructive = new Set(['DeleteStmt', 'TruncateStmt'])

/**
 * Why a statement is to be asked about before it runs, read from its parse tree: what drops, deletes or truncates, an
 * UPDATE without WHERE, and ALTER DATABASE (facts §10). It looks into WITH, COPY and EXPLAIN ANALYZE, where such a
 * statement may hide; the body of a DO block is text to the parser and is searched for the words.
 */
export function dangerOf(node: Node): SqlDanger['kind'] | undefined {
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
