import type { FilterOperator } from '#contract/table-rows'

export const operatorWords: Record<FilterOperator, string> = {
  '=': 'equals',
  '<>': 'differs from',
  '>': 'greater than',
  '<': 'less than',
  '>=': 'at least',
  '<=': 'at most',
  '~~': 'like, % is any text',
  '~~*': 'like, in any case',
  in: 'one of a, b, c',
  is: 'null, true, false',
}
