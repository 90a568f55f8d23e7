import { readPlan, type Plan } from './plan.ts'
import { textOf } from './result-export.ts'
import type { StatementRun } from '../running/run-state.ts'

const read = new WeakMap<StatementRun['rows'], Plan | undefined>()

/** The plan that a result is, when it is one: EXPLAIN in JSON answers one value called QUERY PLAN. */
export function planOf({ fields, rows, status }: StatementRun): Plan | undefined {
  const [field, ...more] = fields ?? []
  if (status !== 'done' || more.length > 0 || field?.name !== 'QUERY PLAN' || field.type !== 'json')
    return undefined
  if (!read.has(rows)) read.set(rows, readPlan(textOf(rows[0]?.[0] ?? null) ?? ''))
  return read.get(rows)
}
