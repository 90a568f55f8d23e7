import type { RowFilter } from '#contract/database/rows/table-rows'
import { ApiError } from '#kit/errors'
import { isExpression, parseSql } from '../parser.ts'

declare const checked: unique symbol
/** Filters whose SQL conditions are one expression each; only `checkedFilters` makes them. */
export type CheckedFilters = readonly RowFilter[] & { readonly [checked]: true }

export const hasCondition = (filters: readonly RowFilter[]) =>
  filters.some((filter) => 'condition' in filter)

/** @throws ApiError for an SQL condition that is more, or less, than one expression */
export async function checkedFilters(filters: readonly RowFilter[]): Promise<CheckedFilters> {
  for (const filter of filters) {
    if ('condition' in filter) await checkCondition(filter.condition)
  }
  return filters as CheckedFilters
}

async function checkCondition(condition: string): Promise<void> {
  if (condition.trim() === '') throw new ApiError('invalid_input', 'The SQL condition is empty')
  if (!(await isExpression(condition)))
    throw new ApiError('invalid_input', 'The SQL condition is not one SQL expression')
  // It would be one of ours: the values of the other filters are parameters of the same statement.
  if (hasParameter(await parseSql(`select (\n${condition}\n)`)))
    throw new ApiError('invalid_input', 'An SQL condition cannot have parameters such as $1')
}

function hasParameter(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  return Object.entries(node).some(([key, value]) => key === 'ParamRef' || hasParameter(value))
}
