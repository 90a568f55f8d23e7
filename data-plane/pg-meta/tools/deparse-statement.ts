import { ident } from '#contract/ddl/sql-text'
import { expressionSql } from './deparse-expression.ts'
import { fieldsOf, kindOf, list, text, UnknownNode, type Fields } from './deparse-nodes.ts'
import { selectSql, sourceSql, tableSql, targetsSql, withSql } from './deparse-query.ts'

/** One statement of a parse tree as SQL. */
export function statementSql(value: unknown): string {
  const [kind, fields] = kindOf(value)
  switch (kind) {
    case 'SelectStmt':
      return selectSql(fields)
    case 'InsertStmt':
      return insertSql(fields)
    case 'UpdateStmt':
      return updateSql(fields)
    case 'DeleteStmt':
      return deleteSql(fields)
    default:
      throw new UnknownNode(kind)
  }
}

const where = (fields: Fields) =>
  fields['whereClause'] ? [`where ${expressionSql(fields['whereClause'])}`] : []

function returning(fields: Fields): string[] {
  if (!fields['returningClause']) return []
  return [`returning ${targetsSql(list(fieldsOf(fields['returningClause']), 'exprs'))}`]
}

/** `a = 1, b = default` */
const assignments = (targets: readonly unknown[]) =>
  targets
    .map((one) => {
      const [, target] = kindOf(one)
      if (target['indirection']) throw new UnknownNode('an assignment to a part of a column')
      return `${ident(text(target, 'name'))} = ${expressionSql(target['val'])}`
    })
    .join(', ')

function insertSql(fields: Fields): string {
  const columns = list(fields, 'cols').map((one) => {
    const [, target] = kindOf(one)
    if (target['indirection']) throw new UnknownNode('a part of a column')
    return ident(text(target, 'name'))
  })
  const overriding =
    {
      OVERRIDING_USER_VALUE: 'overriding user value',
      OVERRIDING_SYSTEM_VALUE: 'overriding system value',
    }[text(fields, 'override')] ?? ''
  return [
    ...withSql(fields),
    `insert into ${tableSql(fieldsOf(fields['relation']))}`,
    ...(columns.length > 0 ? [`(${columns.join(', ')})`] : []),
    ...(overriding ? [overriding] : []),
    fields['selectStmt'] ? statementSql(fields['selectStmt']) : 'default values',
    ...(fields['onConflictClause'] ? [conflictSql(fieldsOf(fields['onConflictClause']))] : []),
    ...returning(fields),
  ].join(' ')
}

function conflictSql(fields: Fields): string {
  const parts = ['on conflict']
  if (fields['infer']) {
    const infer = fieldsOf(fields['infer'])
    const columns = list(infer, 'indexElems').map((one) => {
      const [, element] = kindOf(one)
      const name = text(element, 'name')
      return name ? ident(name) : `(${expressionSql(element['expr'])})`
    })
    if (infer['conname']) parts.push(`on constraint ${ident(text(infer, 'conname'))}`)
    if (columns.length > 0) parts.push(`(${columns.join(', ')})`)
    parts.push(...where(infer))
  }
  if (text(fields, 'action') === 'ONCONFLICT_NOTHING') return [...parts, 'do nothing'].join(' ')
  const set = `do update set ${assignments(list(fields, 'targetList'))}`
  return [...parts, set, ...where(fields)].join(' ')
}

function updateSql(fields: Fields): string {
  const from = list(fields, 'fromClause')
  return [
    ...withSql(fields),
    `update ${tableSql(fieldsOf(fields['relation']))}`,
    `set ${assignments(list(fields, 'targetList'))}`,
    ...(from.length > 0 ? [`from ${from.map(sourceSql).join(', ')}`] : []),
    ...where(fields),
    ...returning(fields),
  ].join(' ')
}

function deleteSql(fields: Fields): string {
  const using = list(fields, 'usingClause')
  return [
    ...withSql(fields),
    `delete from ${tableSql(fieldsOf(fields['relation']))}`,
    ...(using.length > 0 ? [`using ${using.map(sourceSql).join(', ')}`] : []),
    ...where(fields),
    ...returning(fields),
  ].join(' ')
}
