import { z } from 'zod'
import type { EntityDetail } from '#contract/pg-meta-shapes'
import { exactCountLimit, type RowFilter } from '#contract/table-rows'
import { filtersSql, orTrue, parameters, tableSql } from './row-sql.ts'
import { asText, type TextQueryable } from './text-rows.ts'

/** Milliseconds that counting may take when nobody asked for an exact figure. */
const patienceMs = 2000
const cancelled = '57014'

const Plan = z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })])

export type Count = { count: number; is_estimate: boolean }

/** Counts only what is small by the planner's reckoning; a large table is never read to the end just to say how large. */
export async function countRows(
  db: TextQueryable,
  entity: EntityDetail,
  { filters, exact }: { filters: RowFilter[]; exact: boolean },
): Promise<Count> {
  if (exact) return { count: await counted(db, entity, filters), is_estimate: false }
  const whole = await estimated(db, entity, [])
  if (whole <= exactCountLimit) {
    const count = await countedInTime(db, entity, filters)
    if (count !== undefined) return { count, is_estimate: false }
  }
  const count = filters.length > 0 ? await estimated(db, entity, filters) : whole
  return { count, is_estimate: true }
}

async function counted(
  db: TextQueryable,
  entity: EntityDetail,
  filters: RowFilter[],
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
  filters: RowFilter[],
): Promise<number | undefined> {
  await asText(db, 'begin read only', [])
  try {
    await asText(db, "select set_config('statement_timeout', $1, true)", [String(patienceMs)])
    return await counted(db, entity, filters)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === cancelled) return undefined
    throw error
  } finally {
    await asText(db, 'rollback', [])
  }
}

async function estimated(
  db: TextQueryable,
  entity: EntityDetail,
  filters: RowFilter[],
): Promise<number> {
  const { values, param } = parameters()
  const where = orTrue(filtersSql(entity, filters, param))
  const sql = `explain (format json) select 1 from ${tableSql(entity)} where ${where}`
  const [row] = await asText(db, sql, values)
  return Plan.parse(JSON.parse(row?.[0] ?? ''))[0].Plan['Plan Rows']
}
