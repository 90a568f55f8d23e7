import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { ApiError } from '#kit/errors'
import type { CheckedFilters } from './checked-filters.ts'
import { filtersSql } from './filter-sql.ts'
import { orTrue, parameters, tableSql } from './row-sql.ts'
import { asText, type TextQueryable } from './text-rows.ts'

/** Expects a transaction around it, which is given up when there are more rows than were spoken of. */
export async function removeRows(
  db: TextQueryable,
  entity: EntityDetail,
  { filters, most }: { filters: CheckedFilters; most: number },
): Promise<{ removed: number }> {
  if (entity.kind !== 'table' && entity.kind !== 'partitioned_table')
    throw new ApiError('invalid_input', `${entity.name} is not a table`)
  const { values, param } = parameters()
  const where = orTrue(filtersSql(entity, filters, param))
  const sql = `with removed as (delete from ${tableSql(entity)} where ${where} returning 1) select count(*) from removed`
  const [row] = await asText(db, sql, values)
  const removed = Number(row?.[0])
  if (removed > most)
    throw new ApiError(
      'conflict',
      `There are ${removed.toLocaleString('en')} such rows by now: nothing was deleted`,
    )
  return { removed }
}
