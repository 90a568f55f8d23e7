import { columnName } from '../sql/embed-sql.ts'
import type { Column, EmbedNode } from './read-node.ts'
import { Problem } from '../answers/problem.ts'
import { isToOne } from './relationships.ts'

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
export function hoistAggregates(embed: EmbedNode): EmbedNode {
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
