import { quoteIdent } from '#contract/ddl/sql-text'
import type { Column, EmbedNode, ReadNode } from '../plan/read-node.ts'
import { isToOne } from '../plan/relationships.ts'
import { qualified, typeSql } from './sql-parts.ts'

const item = 'plinth_item'

/**
 * Embeds beside the rows of their parent. Each is one lateral subquery with one row at most: of the value that becomes a
 * key of the answer, or of the columns that are spread into the parent.
 */
export function joinsSql(
  embeds: readonly EmbedNode[],
  rowsOf: (embed: EmbedNode) => string,
): string {
  return embeds
    .map((embed) => {
      const slot = quoteIdent(embed.slot)
      const lateral = `lateral (${slotSql(embed, rowsOf(embed))}) ${slot}`
      return embed.inner
        ? ` join ${lateral} on ${presenceSql(embed)} is not null`
        : ` left join ${lateral} on true`
    })
    .join('')
}

function slotSql(embed: EmbedNode, rows: string): string {
  const toOne = isToOne(embed.relationship)
  const from = `from (${rows}) ${item}`
  if (!embed.spread) {
    const value = toOne ? `row_to_json(${item})` : `json_agg(${item})`
    return `select ${value} as plinth_json ${from}`
  }
  if (toOne) return `select ${item}.*, true as plinth_json ${from}`
  const lists = outputNames(embed.node).map((name) => {
    const column = quoteIdent(name)
    return `coalesce(json_agg(${item}.${column}), '[]') as ${column}`
  })
  return `select ${[...lists, 'nullif(count(*), 0) as plinth_json'].join(', ')} ${from}`
}

/** Null where no row belongs to the parent. */
export const presenceSql = ({ slot }: EmbedNode): string => `${quoteIdent(slot)}.plinth_json`

/** Select items of the parent for an embed. An embed without columns is there for its conditions only. */
export function embedOutputs(embed: EmbedNode): string[] {
  const slot = quoteIdent(embed.slot)
  const { node } = embed
  if (node.select.length === 0 && node.embeds.length === 0) return []
  if (embed.spread) return outputNames(node).map((name) => `${slot}.${quoteIdent(name)}`)
  const value = `${slot}.plinth_json`
  const shown = isToOne(embed.relationship) ? value : `coalesce(${value}, '[]')`
  return [`${shown} as ${quoteIdent(embed.key)}`]
}

/** The same beside aggregates, and by what of it the rows belong together. JSON can only be compared as jsonb. */
export function groupedOutputs(embed: EmbedNode): { outputs: string[]; keys: string[] } {
  const slot = quoteIdent(embed.slot)
  const { node, spread, hoisted } = embed
  const names = spread ? outputNames(node).filter((name) => !hoisted.has(name)) : []
  if (spread && isToOne(embed.relationship)) {
    const keys = names.map((name) => `${slot}.${quoteIdent(name)}`)
    const made = [...hoisted].map(([name, item]) => {
      // A bare count is of the rows that are spread.
      const column = item.field ? `${slot}.${quoteIdent(name)}` : presenceSql(embed)
      return `${aggregateSql(item, column)} as ${quoteIdent(name)}`
    })
    return { outputs: [...keys, ...made], keys }
  }
  if (spread) {
    const keys = names.map((name) => `${slot}.${quoteIdent(name)}::jsonb`)
    return { outputs: keys.map((key, i) => `${key} as ${quoteIdent(names[i] ?? '')}`), keys }
  }
  if (node.select.length === 0 && node.embeds.length === 0) return { outputs: [], keys: [] }
  const key = `${slot}.plinth_json::jsonb`
  const shown = isToOne(embed.relationship) ? key : `coalesce(${key}, '[]')`
  return { outputs: [`${shown} as ${quoteIdent(embed.key)}`], keys: [key] }
}

/** An aggregate of a value, and what that is cast to. */
export function aggregateSql(
  { aggregate, aggregateCast }: Extract<Column, { kind: 'field' }>,
  sql: string,
): string {
  const made = `${aggregate}(${sql})`
  return aggregateCast === undefined ? made : `cast(${made} as ${typeSql(aggregateCast)})`
}

/** The names of a node's columns as its rows have them. */
function outputNames({ select, embeds, relation }: ReadNode): string[] {
  const own = select.flatMap((column) =>
    column.kind === 'all' ? [...(relation?.columns.keys() ?? [])] : columnName(column),
  )
  return [...own, ...embeds.flatMap((one) => (one.spread ? outputNames(one.node) : one.key))]
}

export function columnName(column: Exclude<Column, { kind: 'all' }>): string {
  const { alias, aggregate, field } = column
  return alias ?? aggregate ?? impliedName(field) ?? field?.name ?? ''
}

/** A place inside JSON is called by its last key; a plain column has its name already, with a cast or without. */
export function impliedName(field: Exclude<Column, { kind: 'all' }>['field']): string | undefined {
  if (!field || field.json.length === 0) return undefined
  const key = field.json.findLast(({ step }) => 'key' in step)?.step
  return key && 'key' in key ? key.key : field.name
}

/** What stands behind FROM for an embed, and what ties it to the parent's row. */
export function embedSource(embed: EmbedNode, of: ReadNode): { from: string; join: string } {
  const parent = quoteIdent(of.name)
  const { target, on, junction, computed } = embed.relationship
  const own = quoteIdent(embed.node.name)
  if (computed) {
    // What another statement returned is no row of the relation to Postgres until it is made one.
    const row = of.rowColumn
      ? `${parent}.${quoteIdent(of.rowColumn)}`
      : `row(${parent}.*)::${qualified(computed.origin)}`
    const from = `${qualified(computed.fn)}(${row}) as ${own}`
    // A function that returns no set returns one row, of nulls where there is none.
    return { from, join: computed.fn.set ? 'true' : `not (${own} is null)` }
  }
  const equal = (left: string, right: string, pairs: typeof on) =>
    pairs.map(([a, b]) => `${left}.${quoteIdent(a)} = ${right}.${quoteIdent(b)}`)
  const from = `${qualified(target)} as ${own}`
  if (!junction) return { from, join: equal(parent, own, on).join(' and ') }
  const between = quoteIdent(`${embed.slot}_junction`)
  return {
    from: `${qualified(junction.relation)} as ${between}, ${from}`,
    join: [...equal(parent, between, on), ...equal(between, own, junction.on)].join(' and '),
  }
}
