import { quoteIdent } from '#contract/ddl/sql-text'
import { whereSql } from './condition-sql.ts'
import type { CatalogColumn } from '../catalog/catalog.ts'
import {
  aggregateSql,
  columnName,
  embedOutputs,
  embedSource,
  groupedOutputs,
  impliedName,
  joinsSql,
  presenceSql,
} from './embed-sql.ts'
import type { Column, EmbedNode, ReadNode } from '../plan/read-node.ts'
import type { Field, Logic, OrderTerm } from '../query/query.ts'
import { shownSql } from '../plan/representation.ts'
import { fieldSql, pageSql, qualified, typeSql, type Scope, type Values } from './sql-parts.ts'

/** The rows of a node, as a statement that others wrap. `from` is the relation itself unless something stands for it. */
export function rowsSql(node: ReadNode, values: Values, from?: string): string {
  return nodeSql(node, values, from ?? sourceOf(node), '')
}

/** All rows that the conditions leave, whatever the page: for counting. */
export function unpagedSql(node: ReadNode, values: Values, from?: string): string {
  const joins = joinsSql(neededByCount(node), (embed) => embedRows(embed, node, values))
  const where = whereSql(scopeOf(node), node.where, values)
  return `select 1 from ${from ?? sourceOf(node)}${joins}${where}`
}

function nodeSql(node: ReadNode, values: Values, from: string, join: string): string {
  const scope = scopeOf(node)
  // In the order of the text, so that the values are numbered as a reader meets them.
  const columns = node.select.flatMap((item) => columnSql(scope, item, values))
  const grouped = isGrouped(node) ? node.embeds.map(groupedOutputs) : undefined
  const embedded = grouped?.map(({ outputs }) => outputs) ?? node.embeds.map(embedOutputs)
  const outputs = [...columns, ...embedded.flat()]
  const joins = joinsSql(node.embeds, (embed) => embedRows(embed, node, values))
  const where = whereSql(scope, node.where, values)
  const condition = join === '' ? where : `${where === '' ? ' where ' : `${where} and `}${join}`
  return [
    `select ${outputs.join(', ')} from ${from}${joins}${condition}`,
    grouped
      ? groupSql(
          scope,
          node.select,
          grouped.flatMap(({ keys }) => keys),
        )
      : '',
    orderSql(node, scope, values),
    pageSql(node.page, values),
  ].join('')
}

/** The rows of an embed that belong to one row of its parent. */
function embedRows(embed: EmbedNode, parent: ReadNode, values: Values): string {
  const { from, join } = embedSource(embed, parent)
  return nodeSql(embed.node, values, from, join)
}

/** A to-one embed sorts its parents by a column that it need not show. */
function orderSql(node: ReadNode, scope: Scope, values: Values): string {
  if (node.order.length === 0) return ''
  const terms = node.order.map((term) => {
    const parts = [orderedBy(node, scope, term, values)]
    if (term.direction) parts.push(term.direction)
    if (term.nulls) parts.push(`nulls ${term.nulls}`)
    return parts.join(' ')
  })
  return ` order by ${terms.join(', ')}`
}

function orderedBy(node: ReadNode, scope: Scope, term: OrderTerm, values: Values): string {
  const embed = node.embeds.find(({ key }) => key === term.relation)
  if (!embed) return fieldSql(scope, term.field, values)
  const spread = isGrouped(node) ? spreadColumn(embed, term.field) : undefined
  if (spread) return spread
  const { from, join } = embedSource(embed, node)
  const inner = scopeOf(embed.node)
  return `(select ${fieldSql(inner, term.field, values)} from ${from} where ${join} limit 1)`
}

/** The column of a spread that a field of its relation is shown as: beside aggregates, rows are sorted by what they are grouped by. */
function spreadColumn({ node, spread, slot }: EmbedNode, field: Field): string | undefined {
  const searched = JSON.stringify(field)
  const shown = node.select.find(
    (item): item is Exclude<Column, { kind: 'all' }> =>
      item.kind === 'field' && !item.aggregate && JSON.stringify(item.field) === searched,
  )
  return spread && shown ? `${quoteIdent(slot)}.${quoteIdent(columnName(shown))}` : undefined
}

/** Rows count only through embeds that can leave them out: inner ones, and those that a condition speaks of. */
function neededByCount({ embeds, where }: ReadNode): readonly EmbedNode[] {
  const spoken = new Set(where.flatMap(namesIn))
  return embeds.filter((embed) => embed.inner || spoken.has(embed.key))
}

const namesIn = (logic: Logic): string[] =>
  logic.kind === 'filter' ? [logic.field.name] : logic.of.flatMap(namesIn)

const sourceOf = (node: ReadNode) =>
  node.relation ? qualified(node.relation) : quoteIdent(node.name)

const scopeOf = (node: ReadNode): Scope => ({
  alias: quoteIdent(node.name),
  columns: node.relation?.columns,
  embeds: new Map(node.embeds.map((embed) => [embed.key, presenceSql(embed)])),
})

const isAggregate = (item: Column) => item.kind === 'field' && item.aggregate !== undefined

const isGrouped = ({ select, embeds }: ReadNode) =>
  select.some(isAggregate) || embeds.some(({ hoisted }) => hoisted.size > 0)

/** Beside an aggregate, the plain columns and what is embedded say what belongs together. */
function groupSql(scope: Scope, select: readonly Column[], embedded: readonly string[]): string {
  const own = select.flatMap((item, i) => {
    if (isAggregate(item)) return []
    // What a value is shown as may be nothing that can be compared; the value itself can.
    const shown = shownColumn(scope, item)
    return shown ? `${scope.alias}.${quoteIdent(shown.name)}` : i + 1
  })
  const grouped = [...own, ...embedded]
  return grouped.length === 0 ? '' : ` group by ${grouped.join(', ')}`
}

/** The column of an item that asks for it as it is, where the database says how that looks. */
function shownColumn({ columns }: Scope, item: Column): CatalogColumn | undefined {
  if (item.kind === 'all' || !item.field || item.field.json.length > 0) return undefined
  const column = columns?.get(item.field.name)
  const plain = item.cast === undefined && item.aggregate === undefined
  return plain && column?.representation?.out ? column : undefined
}

function columnSql(scope: Scope, item: Column, values: Values): string | string[] {
  if (item.kind === 'all') return item.stored ? `${scope.alias}.*` : allSql(scope)
  const shown = shownColumn(scope, item)
  if (shown) return shownSql(shown, scope.alias, item.alias)
  let sql = item.field ? fieldSql(scope, item.field, values) : '*'
  if (item.cast !== undefined) sql = `cast(${sql} as ${typeSql(item.cast)})`
  if (item.aggregate) sql = aggregateSql(item, sql)
  const name = item.alias ?? (item.aggregate ? item.aggregate : impliedName(item.field))
  return name === undefined ? sql : `${sql} as ${quoteIdent(name)}`
}

function allSql({ alias, columns }: Scope): string | string[] {
  const list = [...(columns?.values() ?? [])]
  if (!list.some((column) => column.representation?.out)) return `${alias}.*`
  return list.map((column) => shownSql(column, alias))
}
