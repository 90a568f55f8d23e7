import { capped, type Page } from '../query/page.ts'
import { Problem } from '../answers/problem.ts'
import type { At, Embed, Query, SelectItem } from '../query/query.ts'
import type { Column, EmbedNode, ReadNode } from './read-node.ts'
import { findRelationship, isToOne } from './relationships.ts'
import type { Schema } from '../catalog/schema.ts'
import { columnName } from '../sql/embed-sql.ts'

/** The server has 1664 places in a list of columns, one of which tells rows of an embed from none. */
const max = 1660
/** Columns of a result that no schema knows: a function has no more arguments than this. */
const ofUnknown = 100

/**
 * Refuses what asks for more columns than a statement can have: the server would say so itself, as if it were at fault.
 * @throws Problem with status 400
 */
function checkWidth(node: ReadNode): void {
  // What is sorted by may take a place of its own.
  if (widthOf(node) + node.order.length > max) {
    throw new Problem(
      400,
      'PGRST100',
      `'select' and 'order' name more than ${max} columns of '${node.name}'`,
    )
  }
  for (const embed of node.embeds) checkWidth(embed.node)
}

function widthOf({ select, embeds, relation }: ReadNode): number {
  let width = 0
  for (const { kind } of select) width += kind === 'all' ? (relation?.columns.size ?? ofUnknown) : 1
  for (const embed of embeds) width += embed.spread ? widthOf(embed.node) : 1
  return width
}

type Source = Pick<ReadNode, 'name' | 'relation'>
type Options = {
  schema: Schema
  page: Page
  maxRows: number | undefined
  aggregates: boolean
}
/** What is said of one relation and of those below it. */
type Clauses = Pick<Query, 'where' | 'order' | 'limit' | 'offset'>

/** Puts every part of a query at the relation that it speaks about. */
export function planRead(query: Query, source: Source, options: Options): ReadNode {
  const select: readonly SelectItem[] = query.select.length === 0 ? [{ kind: 'all' }] : query.select
  const counter = { last: 0 }
  const page = capped(options.page, options.maxRows)
  const node = planNode({ source, select, clauses: query, page, options, counter })
  checkWidth(node)
  return node
}

type Plan = {
  source: Source
  select: readonly SelectItem[]
  clauses: Clauses
  page: Page
  options: Options
  counter: { last: number }
}

function planNode({ source, select, clauses, page, options, counter }: Plan): ReadNode {
  const columns = select.filter((item): item is Column => item.kind !== 'embed')
  const uses = columns.some((item) => item.kind === 'field' && item.aggregate)
  if (uses && !options.aggregates) {
    throw new Problem(400, 'PGRST123', 'Use of aggregate functions is not allowed')
  }
  const embedded = select.filter((item): item is Embed => item.kind === 'embed')
  const keys = embedded.map((embed) => embed.alias ?? embed.relation)
  const isOf = (i: number, name: string) =>
    keys[i] === name || (embedded[i]?.relation === name && !keys.includes(name))
  for (const list of [clauses.where, clauses.order, clauses.limit, clauses.offset]) {
    for (const { path } of list) {
      const [name] = path
      if (name !== undefined && !embedded.some((_, i) => isOf(i, name))) throw notEmbedded(name)
    }
  }
  const embeds = embedded.map((embed, i) => {
    const below = <T>(list: readonly At<T>[]): At<T>[] =>
      list
        .filter(({ path: [name] }) => name !== undefined && isOf(i, name))
        .map(({ path, is }) => ({ path: path.slice(1), is }))
    const inner: Clauses = {
      where: below(clauses.where),
      order: below(clauses.order),
      limit: below(clauses.limit),
      offset: below(clauses.offset),
    }
    return planEmbed(embed, source, inner, options, counter)
  })
  const order = here(clauses.order).flat()
  for (const { relation } of order)
    if (relation !== undefined) checkOrdered(source, relation, embeds)
  return { ...source, select: columns, embeds, where: here(clauses.where), order, page }
}

const here = <T>(list: readonly At<T>[]): T[] =>
  list.filter(({ path }) => path.length === 0).map(({ is }) => is)

function planEmbed(
  embed: Embed,
  parent: Source,
  clauses: Clauses,
  options: Options,
  counter: { last: number },
): EmbedNode {
  if (!parent.relation) throw new Problem(400, 'PGRST200', noColumns(parent.name, embed.relation))
  const relationship = findRelationship(options.schema, parent.relation, embed)
  const number = ++counter.last
  const { target } = relationship
  const asked = { limit: here(clauses.limit)[0], offset: here(clauses.offset)[0] ?? 0 }
  const node = planNode({
    source: { name: `${target.name}_${number}`, relation: target },
    select: embed.select,
    clauses,
    page: isToOne(relationship) ? asked : capped(asked, options.maxRows),
    options,
    counter,
  })
  return hoistAggregates({
    node,
    key: embed.alias ?? embed.relation,
    relationship,
    inner: embed.join === 'inner',
    spread: embed.spread,
    slot: `plinth_embed_${number}`,
    hoisted: new Map(),
  })
}

function checkOrdered(source: Source, name: string, embeds: readonly EmbedNode[]): void {
  const embed = embeds.find((one) => one.key === name)
  if (!embed) throw notEmbedded(name)
  if (isToOne(embed.relationship)) return
  throw new Problem(400, 'PGRST118', `A related order on '${name}' is not possible`, {
    details: `'${source.name}' and '${name}' do not form a many-to-one or one-to-one relationship`,
  })
}

const noColumns = (origin: string, name: string) =>
  `Could not find a relationship between '${origin}' and '${name}' in the schema cache`

const notEmbedded = (name: string) =>
  new Problem(400, 'PGRST108', `'${name}' is not an embedded resource in this request`, {
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  })

type Field = Extract<Column, { kind: 'field' }>

const isAggregate = (item: Column): item is Field =>
  item.kind === 'field' && item.aggregate !== undefined

/** The column itself, under the name of what is made of it. */
const plain = (item: Field): Field => ({
  ...item,
  alias: columnName(item),
  aggregate: undefined,
  aggregateCast: undefined,
})

/**
 * The columns of a spread are the parent's, so its aggregates are, too: they are taken out of the embed and made of the
 * parent's rows. @throws Problem PGRST127 where a parent has many of them
 */
function hoistAggregates(embed: EmbedNode): EmbedNode {
  if (!embed.spread) return embed
  const { select, embeds } = embed.node
  const own = select.filter(isAggregate)
  const hoisted = new Map([
    ...embeds.flatMap((inner) => [...inner.hoisted]),
    ...own.map((item) => [columnName(item), item] as const),
  ])
  if (hoisted.size === 0) return embed
  if (!isToOne(embed.relationship)) {
    throw new Problem(400, 'PGRST127', 'Feature not implemented', {
      details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
    })
  }
  const node = {
    ...embed.node,
    // A bare count has no column.
    select: select.flatMap((item): Column[] => {
      if (!isAggregate(item)) return [item]
      return item.field ? [plain(item)] : []
    }),
    embeds: embeds.map((inner) => ({ ...inner, hoisted: new Map<string, Field>() })),
  }
  return { ...embed, node, hoisted }
}
