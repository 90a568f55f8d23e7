import { quoteIdent } from '#kit/sql'
import { whereSql } from './condition-sql.ts'
import type { Column, ReadNode } from './plan-read.ts'
import type { Field } from './query.ts'
import {
  fieldSql,
  orderSql,
  pageSql,
  qualified,
  typeSql,
  type Scope,
  type Values,
} from './sql-parts.ts'

/** The rows of a node, as a statement that others wrap. `from` is the relation itself unless something stands for it. */
export function rowsSql(node: ReadNode, values: Values, from?: string): string {
  const scope = scopeOf(node)
  const source = from ?? (node.relation ? qualified(node.relation) : quoteIdent(node.name))
  return [
    `select ${selectSql(scope, node.select, values)} from ${source}`,
    whereSql(scope, node.where, values),
    orderSql(scope, node.order, values),
    pageSql(node.page, values),
  ].join('')
}

/** All rows that the conditions leave, whatever the page: for counting. */
export function unpagedSql(node: ReadNode, values: Values, from?: string): string {
  const source = from ?? (node.relation ? qualified(node.relation) : quoteIdent(node.name))
  return `select 1 from ${source}${whereSql(scopeOf(node), node.where, values)}`
}

const scopeOf = (node: ReadNode): Scope => ({
  alias: quoteIdent(node.name),
  columns: node.relation?.columns,
})

function selectSql(scope: Scope, select: readonly Column[], values: Values): string {
  if (select.length === 0) return `${scope.alias}.*`
  return select.map((item) => columnSql(scope, item, values)).join(', ')
}

function columnSql(scope: Scope, item: Column, values: Values): string {
  if (item.kind === 'all') return `${scope.alias}.*`
  let sql = item.field ? fieldSql(scope, item.field, values) : '*'
  if (item.cast !== undefined) sql = `cast(${sql} as ${typeSql(item.cast)})`
  if (item.aggregate) sql = `${item.aggregate}(${sql})`
  if (item.aggregateCast !== undefined) sql = `cast(${sql} as ${typeSql(item.aggregateCast)})`
  const name = item.alias ?? (item.aggregate ? item.aggregate : impliedName(item.field))
  return name === undefined ? sql : `${sql} as ${quoteIdent(name)}`
}

/** A place inside JSON is called by its last key; a plain column has its name already, with a cast or without. */
function impliedName(field: Field | undefined): string | undefined {
  if (!field || field.json.length === 0) return undefined
  const key = field.json.findLast(({ step }) => 'key' in step)?.step
  return key && 'key' in key ? key.key : field.name
}
