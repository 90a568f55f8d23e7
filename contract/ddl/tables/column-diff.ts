import { commentSql, expressionSql, identitySql, inParentheses } from './column-sql.ts'
import { ident } from '../sql-text.ts'
import type { ColumnShape } from './table-shape.ts'

/** What ALTER TABLE has to do with one column, in an order in which each step can follow the one before. */
export function columnAlterations(on: string, before: ColumnShape, after: ColumnShape): string[] {
  const column = ident(after.name)
  const alter = (action: string) => `alter table ${on} alter column ${column} ${action}`
  const statements: string[] = []
  const retyped = before.type !== after.type
  const redefault = before.default !== after.default || (retyped && before.default !== null)
  if (redefault && before.default !== null) statements.push(alter('drop default'))
  if (before.identity && !after.identity) statements.push(alter('drop identity'))
  if (before.generated !== null && after.generated === null)
    statements.push(alter('drop expression'))
  if (retyped) {
    const value = crossesOver(before.type, after.type) ? `${column}::text` : column
    statements.push(alter(`set data type ${after.type} using ${value}::${after.type}`))
  }
  if (after.generated !== null && before.generated !== null && before.generated !== after.generated)
    statements.push(alter(`set expression as ${inParentheses(after.generated)}`))
  if (redefault && after.default !== null)
    statements.push(alter(`set default ${expressionSql(after.default)}`))
  if (before.nullable && !after.nullable) statements.push(alter('set not null'))
  // An identity must not be null, so it comes after.
  if (after.identity && !before.identity)
    statements.push(alter(`add ${identitySql(after.identity)}`))
  else if (after.identity && before.identity !== after.identity)
    statements.push(alter(`set generated ${after.identity === 'ALWAYS' ? 'always' : 'by default'}`))
  if (!before.nullable && after.nullable) statements.push(alter('drop not null'))
  if ((before.comment ?? '') !== (after.comment ?? ''))
    statements.push(commentSql(`column ${on}.${column}`, after.comment))
  return statements
}

/** Types of people's own (named with their schema) are reached by way of text: one enum does not become another. */
const crossesOver = (from: string, to: string) => from.includes('.') || to.includes('.')

type Rename = { from: string; to: string }

/** Renames in an order that never meets a name in use; where they go round in a circle, by way of a third name. */
export function renameStatements(
  on: string,
  renames: readonly Rename[],
  kept: ReadonlySet<string>,
) {
  const statements: string[] = []
  const rename = ({ from, to }: Rename) =>
    statements.push(`alter table ${on} rename column ${ident(from)} to ${ident(to)}`)
  let open = renames.filter(({ from, to }) => from !== to)
  const used = new Set([...kept, ...renames.flatMap(({ from, to }) => [from, to])])
  while (open.length > 0) {
    const sources = new Set(open.map(({ from }) => from))
    const free = open.find(({ to }) => !sources.has(to))
    if (free) {
      rename(free)
      open = open.filter((one) => one !== free)
      continue
    }
    const [stuck] = open
    if (!stuck) break
    let aside = 'renaming'
    while (used.has(aside)) aside += '_'
    used.add(aside)
    rename({ from: stuck.from, to: aside })
    open = open.map((one) => (one === stuck ? { from: aside, to: stuck.to } : one))
  }
  return statements
}
