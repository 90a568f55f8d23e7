import { capped, type Page } from './page.ts'
import { Problem } from './problem.ts'
import type { Logic, OrderTerm, Query, SelectItem } from './query.ts'
import type { Relation } from './schema.ts'

export type Column = Exclude<SelectItem, { kind: 'embed' }>

/** One relation of a read and all that is asked of it; what is embedded in it hangs below. */
export type ReadNode = {
  /** What it is called in the statement, and in the database's messages. */
  name: string
  /** Undefined for the result of a function whose columns are not known. */
  relation: Relation | undefined
  select: readonly Column[]
  embeds: readonly ReadNode[]
  where: readonly Logic[]
  order: readonly OrderTerm[]
  page: Page
}

type Source = Pick<ReadNode, 'name' | 'relation'>
type Options = { page: Page; maxRows: number | undefined; aggregates: boolean }

/** Puts every part of a query at the relation that it speaks about. */
export function planRead(query: Query, source: Source, options: Options): ReadNode {
  const select: Column[] = []
  for (const item of query.select) {
    if (item.kind === 'embed') {
      throw new Problem(400, 'PGRST127', 'Feature not implemented', {
        details: `Embedding '${item.relation}' is not available yet`,
      })
    }
    if (item.kind === 'field' && item.aggregate && !options.aggregates) {
      throw new Problem(400, 'PGRST123', 'Use of aggregate functions is not allowed')
    }
    select.push(item)
  }
  for (const { path } of [...query.where, ...query.order, ...query.limit, ...query.offset]) {
    if (path.length > 0) throw notEmbedded(path[0] ?? '')
  }
  const order = query.order.flatMap(({ is }) => is)
  const related = order.find((term) => term.relation !== undefined)
  if (related) throw notEmbedded(related.relation ?? '')
  return {
    ...source,
    select,
    embeds: [],
    where: query.where.map(({ is }) => is),
    order,
    page: capped(options.page, options.maxRows),
  }
}

const notEmbedded = (name: string) =>
  new Problem(400, 'PGRST108', `'${name}' is not an embedded resource in this request`, {
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  })
