import type { FilterOperator } from '#contract/table-rows'

export const operatorWords: Record<FilterOperator, string> = {
  '=': 'equals',
  '<>': 'differs from',
  '>': 'greater than',
  '<': 'less than',
  '>=': 'at least',
  '<=': 'at most',
  '~~': 'like, % is any text',
  '~~*': 'like in any case, % is any text',
  in: 'one of, separated by commas',
  is: 'null, not null, true, false',
}
