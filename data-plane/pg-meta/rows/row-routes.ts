import type { PoolClient } from 'pg'
import type { As } from '#contract/data-api/impersonation'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { rowBulk } from '#contract/database/rows/row-bulk'
import { rowLookup } from '#contract/database/rows/row-lookup'
import { tableRows, type RowFilter } from '#contract/database/rows/table-rows'
import { readingAs, reading } from '../access/impersonation.ts'
import { cancellable, goneSignal } from '../cancellable.ts'
import { inTransaction, type Connections, type Who } from '../connections.ts'
import { answer, handle, type MetaRoute, type UseSession } from '../routes.ts'
import type { EntityOf } from '../tables/known-entities.ts'
import { checkedFilters, hasCondition, type CheckedFilters } from './checked-filters.ts'
import { applyChanges, readValue } from './row-changes.ts'
import { countRows } from './row-count.ts'
import { listRows } from './row-list.ts'
import { findRows } from './row-lookup.ts'
import { ApiError } from '#kit/errors'
import { filtersSql } from './filter-sql.ts'
import { orTrue, parameters, tableSql } from './row-sql.ts'
import { asText, type TextQueryable } from './text-rows.ts'

/** The rows of one table or view. */
export function rowRoutes(
  connections: Connections,
  read: UseSession,
  write: UseSession,
  entityOf: EntityOf,
): MetaRoute[] {
  /** A condition is SQL of the caller's own, which may leave anything behind in its session. */
  const sessionFor = (filters: readonly RowFilter[]): UseSession =>
    hasCondition(filters) ? (who, work) => connections.useAndReset(who, work) : read
  /** Where rows are only looked at a condition changes nothing, whoever wrote it and whoever opens its address. */
  function look<T>(
    db: PoolClient,
    who: Who,
    { as, filters }: { as?: As | undefined; filters: readonly RowFilter[] },
    work: (inside: boolean) => Promise<T>,
  ): Promise<T> {
    if (as) return readingAs(db, who, as, () => work(true))
    return hasCondition(filters) ? reading(db, () => work(true)) : work(false)
  }
  /** Not in the session that a condition gets: what is prepared there is thrown away. */
  const known = (who: Who, id: number): Promise<EntityDetail> =>
    connections.use(who, (db) => entityOf(db, who, id))

  return [
    handle(tableRows.list, async (input, { who }) => {
      const filters = await checkedFilters(input.filters)
      const list = (db: PoolClient, entity: EntityDetail) =>
        look(db, who, input, () => listRows(db, entity, { ...input, filters }))
      if (!hasCondition(filters))
        return read(who, async (db) => list(db, await entityOf(db, who, input.id)))
      const entity = await known(who, input.id)
      return sessionFor(filters)(who, (db) => list(db, entity))
    }),
    handle(tableRows.count, async (input, { who, reply }) => {
      const filters = await checkedFilters(input.filters)
      const entity = await known(who, input.id)
      const gone = goneSignal(reply.raw)
      return cancellable(connections, sessionFor(filters), who, gone, (db) =>
        look(db, who, input, (inside) => countRows(db, entity, { ...input, filters }, inside)),
      )
    }),
    answer(read, rowLookup.find, async (db, input, who) =>
      findRows(db, await entityOf(db, who, input.id), input),
    ),
    handle(rowBulk.remove, async (input, { who }) => {
      const filters = await checkedFilters(input.filters)
      const entity = await known(who, input.id)
      return sessionFor(filters)(who, (db) =>
        inTransaction(db, () => removeRows(db, entity, { ...input, filters })),
      )
    }),
    answer(read, tableRows.value, async (db, input, who) =>
      readValue(db, await entityOf(db, who, input.id), input),
    ),
    answer(write, tableRows.apply, async (db, input, who) => {
      const entity = await entityOf(db, who, input.id)
      const applied = await applyChanges(db, entity, input.changes)
      return { columns: entity.columns.map(({ name }) => name), ...applied }
    }),
  ]
}

/** Expects a transaction around it, which is given up when there are more rows than were spoken of. */
async function removeRows(
  db: TextQueryable,
  entity: EntityDetail,
  { filters, max }: { filters: CheckedFilters; max: number },
): Promise<{ removed: number }> {
  if (entity.kind !== 'table' && entity.kind !== 'partitioned_table')
    throw new ApiError('invalid_input', `${entity.name} is not a table`)
  const { values, param } = parameters()
  const where = orTrue(filtersSql(entity, filters, param))
  const sql = `with removed as (delete from ${tableSql(entity)} where ${where} returning 1) select count(*) from removed`
  const [row] = await asText(db, sql, values)
  const removed = Number(row?.[0])
  if (removed > max)
    throw new ApiError(
      'conflict',
      `There are ${removed.toLocaleString('en')} such rows by now: nothing was deleted`,
    )
  return { removed }
}
