import type { Column, EntityDetail } from '#contract/database/pg-meta-shapes'
import { rowLookup } from '#contract/database/rows/row-lookup'
import { callDatabase } from '../../../../session/project/database.ts'
import type { Lookup } from '../../../../ui/grid/grid-types.ts'

/** Finds rows of the table that a column refers to, by its own value or by the words of the row. */
export function lookups(ref: string, entity: EntityDetail) {
  const known = new Map(entity.columns.map((column) => [column.id, lookupOf(ref, entity, column)]))
  return ({ id }: Pick<Column, 'id'>): Lookup | undefined => known.get(id)
}

function lookupOf(ref: string, entity: EntityDetail, column: Column): Lookup | undefined {
  const link = entity.foreign_keys.find((key) => key.columns.includes(column.name))
  const target = link?.target_columns[link.columns.indexOf(column.name)]
  if (!link || target === undefined) return undefined
  // Half a key leads to no row: what is chosen sets all columns of it.
  const rest = link.columns.flatMap((own, at) => {
    const other = link.target_columns[at]
    return own === column.name || other === undefined ? [] : [{ own, other }]
  })
  return async (search, from, signal) => {
    const after = from === undefined ? {} : { after: from }
    const input = {
      ref,
      id: link.target_id,
      column: target,
      also: rest.map(({ other }) => other),
      search,
      ...after,
    }
    const page = await callDatabase(rowLookup.find, input, signal)
    return {
      found: page.rows.map(({ value, also, words }) => ({
        value,
        others: Object.fromEntries(rest.map(({ own }, at) => [own, also[at] ?? ''])),
        detail: words.filter((word) => word !== null && word !== '').join(' · '),
      })),
      next: page.next ?? undefined,
      note:
        page.only_beginnings && search !== ''
          ? `${link.target_table} is large: only the start of its key and of indexed texts was searched.`
          : undefined,
    }
  }
}
