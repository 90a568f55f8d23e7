import { z } from 'zod'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { exactCountLimit } from '#contract/database/rows/table-rows'
import type { CheckedFilters } from './checked-filters.ts'
import { filtersSql } from './filter-sql.ts'
import { orTrue, parameters, tableSql } from './row-sql.ts'
import { asText, type TextQueryable } from './text-rows.ts'

/** Milliseconds that counting may take when nobody asked for an exact figure. */
const timeoutMs = 2000
/** The same for an exact figure: it can be cancelled. */
const exactTimeoutMs = 600_000
export const cancelled = '57014'

const Plan = z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })])

export type Count = { count: number; is_estimate: boolean }

/** Counts only what is small by the planner's reckoning; a large table is never read to the end just to say how large. */
export async function countRows(
  db: TextQueryable,
  entity: EntityDetail,
  { filters, exact }: { filters: CheckedFilters; exact: boolean },
  /** Within a transaction of the caller's, which has to go on whatever comes of the counting. */
  inside = false,
): Promise<Count> {
  if (exact) {
    const count = await within(db, exactTimeoutMs, inside, () => counted(db, entity, filters))
    return { count, is_estimate: false }
  }
  const whole = await estimated(db, entity)
  if (whole <= exactCountLimit) {
    const count = await countedInTime(db, entity, filters, inside)
    if (count !== undefined) return { count, is_estimate: false }
  }
  const count = filters.length > 0 ? await estimated(db, entity, filters) : whole
  return { count, is_estimate: true }
}

async function counted(
  db: TextQueryable,
  entity: EntityDetail,
  filters: CheckedFilters,
): Promise<number> {
  const { values, param } = parameters()
  const where = orTrue(filtersSql(entity, filters, param))
  const sql = `select count(*) from ${tableSql(entity)} where ${where}`
  const [row] = await asText(db, sql, values)
  return Number(row?.[0])
}

async function countedInTime(
  db: TextQueryable,
  entity: EntityDetail,
  filters: CheckedFilters,
  inside: boolean,
): Promise<number | undefined> {
  try {
    return await within(db, timeoutMs, inside, () => counted(db, entity, filters))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === cancelled) return undefined
    throw error
  }
}

/** With as much time as `ms`, and the session as it was afterwards. */
export async function within<T>(
  db: TextQueryable,
  ms: number,
  inside: boolean,
  work: () => Promise<T>,
): Promise<T> {
  await asText(db, inside ? 'savepoint counting' : 'begin read only', [])
  try {
    await asText(db, "select set_config('statement_timeout', $1, true)", [String(ms)])
    return await work()
  } finally {
    await asText(db, inside ? 'rollback to savepoint counting' : 'rollback', [])
  }
}

export async function estimated(
  db: TextQueryable,
  entity: EntityDetail,
  filters?: CheckedFilters,
): Promise<number> {
  const { values, param } = parameters()
  const where = orTrue(filters ? filtersSql(entity, filters, param) : [])
  const sql = `explain (format json) select 1 from ${tableSql(entity)} where ${where}`
  const [row] = await asText(db, sql, values)
  return Plan.parse(JSON.parse(row?.[0] ?? ''))[0].Plan['Plan Rows']
}
