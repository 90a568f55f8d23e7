import type { Column, EntityDetail } from '#contract/pg-meta-shapes'
import { tableRows, type Cell, type RowFilter } from '#contract/table-rows'
import { queryClient } from '../../api/client.ts'
import { callDatabase } from '../../session/database.ts'
import type { Lookup } from '../../ui/grid/grid-types.ts'
import { entityQuery } from './queries.ts'

/** Rows that are offered at a time. */
const offered = 20
/** Columns whose words tell a row from others, besides its key. */
const telling = new Set(['text', 'varchar', 'citext', 'bpchar', 'name'])
const shownWords = 2

const textOf = (cell: Cell | undefined) =>
  typeof cell === 'object' && cell !== null ? cell.head.slice(0, 80) : (cell ?? '')

/** In a pattern these stand for anything. */
const escaped = (text: string) => text.replace(/[\\%_]/g, String.raw`\$&`)

/** Finds rows of the table that a column refers to, by its own value or by the words of the row. */
export function lookups(ref: string, entity: EntityDetail) {
  const known = new Map(entity.columns.map((column) => [column.id, lookupOf(ref, entity, column)]))
  return ({ id }: Pick<Column, 'id'>): Lookup | undefined => known.get(id)
}

function lookupOf(ref: string, entity: EntityDetail, column: Column): Lookup | undefined {
  const link = entity.foreign_keys.find((key) => key.columns.includes(column.name))
  const target = link?.target_columns[link.columns.indexOf(column.name)]
  if (!link || target === undefined) return undefined
  return async (typed, from, signal) => {
    const other = await queryClient.ensureQueryData(entityQuery(ref, link.target_id))
    const words = other.columns
      .filter(({ name, format }) => name !== target && telling.has(format))
      .slice(0, shownWords)
    const filters: RowFilter[] = typed
      ? [
          { column: target, operator: '~~*', value: `${escaped(typed)}%` },
          ...words.map(({ name }) => ({
            column: name,
            operator: '~~*' as const,
            value: `%${escaped(typed)}%`,
            or: true,
          })),
        ]
      : []
    const input = { ref, id: link.target_id, filters, limit: offered }
    const page = await callDatabase(
      tableRows.list,
      { ...input, ...(from === undefined ? {} : { cursor: from }) },
      signal,
    )
    const at = (name: string) => page.columns.indexOf(name)
    const found = page.rows.map((row) => ({
      value: textOf(row[at(target)]),
      detail: words.map(({ name }) => textOf(row[at(name)])).join(' · '),
    }))
    return { found, next: page.next ?? undefined }
  }
}
