import { ident } from '#contract/ddl/sql-text'
import { expressionSql, orderSql, windowSql } from './deparse-expression.ts'
import {
  fieldsOf,
  kindOf,
  list,
  nameOf,
  text,
  UnknownNode,
  type Fields,
  writtenSql,
} from './deparse-nodes.ts'

const joined = (values: readonly unknown[]) => values.map(expressionSql).join(', ')

/** The columns of a result: expressions, and what they are called. */
export const targetsSql = (targets: readonly unknown[]) =>
  targets
    .map((one) => {
      const [, target] = kindOf(one)
      const name = text(target, 'name')
      return `${expressionSql(target['val'])}${name ? ` as ${ident(name)}` : ''}`
    })
    .join(', ')

export function withSql(fields: Fields): string[] {
  if (!fields['withClause']) return []
  const clause = fieldsOf(fields['withClause'])
  const parts = list(clause, 'ctes').map((one) => {
    const [, cte] = kindOf(one)
    const columns = list(cte, 'aliascolnames').map(nameOf).map(ident)
    const kept =
      { CTEMaterializeAlways: 'materialized ', CTEMaterializeNever: 'not materialized ' }[
        text(cte, 'ctematerialized')
      ] ?? ''
    return `${ident(text(cte, 'ctename'))}${columns.length > 0 ? ` (${columns.join(', ')})` : ''} as ${kept}(${writtenSql(cte['ctequery'])})`
  })
  return [`with ${clause['recursive'] ? 'recursive ' : ''}${parts.join(', ')}`]
}

export function selectSql(fields: Fields): string {
  const order = list(fields, 'sortClause')
  const limit = text(fields, 'limitOption') === 'LIMIT_OPTION_WITH_TIES'
  const parts = [
    ...withSql(fields),
    text(fields, 'op') === 'SETOP_NONE' ? plainSelect(fields) : combined(fields),
    ...(order.length > 0 ? [orderSql(order)] : []),
    ...(fields['limitOffset'] ? [`offset ${expressionSql(fields['limitOffset'])}`] : []),
    ...(fields['limitCount']
      ? [
          limit
            ? `fetch first (${expressionSql(fields['limitCount'])}) rows with ties`
            : `limit ${expressionSql(fields['limitCount'])}`,
        ]
      : []),
    ...list(fields, 'lockingClause').map(lockSql),
  ]
  return parts.join(' ')
}

function combined(fields: Fields): string {
  const words = { SETOP_UNION: 'union', SETOP_INTERSECT: 'intersect', SETOP_EXCEPT: 'except' }[
    text(fields, 'op')
  ]
  if (!words) throw new UnknownNode(text(fields, 'op'))
  const side = (name: string) => `(${selectSql(fieldsOf(fields[name]))})`
  return `${side('larg')} ${words}${fields['all'] ? ' all' : ''} ${side('rarg')}`
}

function plainSelect(fields: Fields): string {
  const values = list(fields, 'valuesLists')
  if (values.length > 0) {
    const rows = values.map((row) => `(${joined(list(kindOf(row)[1], 'items'))})`)
    return `values ${rows.join(', ')}`
  }
  const distinct = list(fields, 'distinctClause')
  // DISTINCT alone is told by a list with nothing in it.
  const on = distinct.filter((one) => Object.keys(fieldsOf(one)).length > 0)
  const from = list(fields, 'fromClause')
  const group = list(fields, 'groupClause')
  const windows = list(fields, 'windowClause').map((one) => {
    const [, window] = kindOf(one)
    const { name: _, ...inside } = window
    return `${ident(text(window, 'name'))} as ${windowSql(inside)}`
  })
  return [
    'select',
    ...(distinct.length > 0 ? [on.length > 0 ? `distinct on (${joined(on)})` : 'distinct'] : []),
    targetsSql(list(fields, 'targetList')),
    ...(from.length > 0 ? [`from ${from.map(sourceSql).join(', ')}`] : []),
    ...(fields['whereClause'] ? [`where ${expressionSql(fields['whereClause'])}`] : []),
    ...(group.length > 0
      ? [`group by ${fields['groupDistinct'] ? 'distinct ' : ''}${joined(group)}`]
      : []),
    ...(fields['havingClause'] ? [`having ${expressionSql(fields['havingClause'])}`] : []),
    ...(windows.length > 0 ? [`window ${windows.join(', ')}`] : []),
  ]
    .filter(Boolean)
    .join(' ')
}

function aliasSql(fields: Fields): string {
  if (!fields['alias']) return ''
  const alias = fieldsOf(fields['alias'])
  const columns = list(alias, 'colnames').map(nameOf).map(ident)
  return ` as ${ident(text(alias, 'aliasname'))}${columns.length > 0 ? `(${columns.join(', ')})` : ''}`
}

export function tableSql(fields: Fields): string {
  const names = ['catalogname', 'schemaname', 'relname'].map((key) => text(fields, key))
  const name = names
    .filter(Boolean)
    .map((one) => ident(one))
    .join('.')
  return `${fields['inh'] ? '' : 'only '}${name}${aliasSql(fields)}`
}

export function sourceSql(value: unknown): string {
  const [kind, fields] = kindOf(value)
  const lateral = fields['lateral'] ? 'lateral ' : ''
  switch (kind) {
    case 'RangeVar':
      return tableSql(fields)
    case 'RangeSubselect':
      return `${lateral}(${writtenSql(fields['subquery'])})${aliasSql(fields)}`
    case 'RangeFunction': {
      const calls = list(fields, 'functions').map((one) =>
        expressionSql(list(kindOf(one)[1], 'items')[0]),
      )
      const from = fields['is_rowsfrom'] ? `rows from (${calls.join(', ')})` : (calls[0] ?? '')
      return `${lateral}${from}${fields['ordinality'] ? ' with ordinality' : ''}${aliasSql(fields)}`
    }
    case 'JoinExpr':
      return joinSql(fields)
    default:
      throw new UnknownNode(kind)
  }
}

function joinSql(fields: Fields): string {
  const kind =
    { JOIN_LEFT: 'left ', JOIN_RIGHT: 'right ', JOIN_FULL: 'full ' }[text(fields, 'jointype')] ?? ''
  const using = list(fields, 'usingClause').map(nameOf).map(ident)
  const natural = Boolean(fields['isNatural'])
  const cross = !natural && using.length === 0 && !fields['quals']
  const [rightKind] = kindOf(fields['rarg'])
  const right = sourceSql(fields['rarg'])
  const sql = [
    sourceSql(fields['larg']),
    `${natural ? 'natural ' : ''}${cross ? 'cross ' : kind}join`,
    rightKind === 'JoinExpr' && !right.startsWith('(') ? `(${right})` : right,
    ...(using.length > 0 ? [`using (${using.join(', ')})`] : []),
    ...(fields['quals'] ? [`on ${expressionSql(fields['quals'])}`] : []),
  ].join(' ')
  return fields['alias'] ? `(${sql})${aliasSql(fields)}` : sql
}

function lockSql(value: unknown): string {
  const [, lock] = kindOf(value)
  const strength = {
    LCS_FORUPDATE: 'update',
    LCS_FORNOKEYUPDATE: 'no key update',
    LCS_FORSHARE: 'share',
    LCS_FORKEYSHARE: 'key share',
  }[text(lock, 'strength')]
  const of = list(lock, 'lockedRels').map(sourceSql)
  const wait =
    { LockWaitSkip: ' skip locked', LockWaitError: ' nowait' }[text(lock, 'waitPolicy')] ?? ''
  return `for ${strength}${of.length > 0 ? ` of ${of.join(', ')}` : ''}${wait}`
}
