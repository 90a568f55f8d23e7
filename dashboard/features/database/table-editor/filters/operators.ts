import type { Column } from '#contract/database/pg-meta-shapes'
import type { FilterOperator } from '#contract/database/rows/table-rows'
import { isNumeric } from '../grid/grid-columns.ts'

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
  contains: 'this text, in any case',
  'starts with': 'this text, in any case',
  between: 'both ends included',
  exists: 'the path leads somewhere',
  '@>': 'contains all of these',
  '&&': 'contains one of these',
}

const equal: FilterOperator[] = ['=', '<>', 'in', 'is']
const ordered: FilterOperator[] = ['=', '<>', '>', '<', '>=', '<=', 'between', 'in', 'is']
const like: FilterOperator[] = ['contains', 'starts with', '~~', '~~*']
/** What reads as text, though it has an order of its own. */
const moments = new Set(['date', 'time', 'timetz', 'timestamp', 'timestamptz', 'interval'])
const documents = new Set(['json', 'jsonb'])

export const isDocument = (column: Column) => documents.has(column.format)

/** What makes sense for a column, or for a part of its documents; the usual ones first. */
export function operatorsFor(column: Column, part = false): FilterOperator[] {
  const { format } = column
  if (part) return [...equal, 'contains', 'starts with', 'exists', '@>', '~~', '~~*']
  if (column.data_type === 'ARRAY') return ['@>', '&&', '=', '<>', 'is', 'contains']
  if (isDocument(column)) return ['@>', '=', '<>', 'contains', 'is', '~~', '~~*']
  if (format === 'bool') return ['=', '<>', 'is']
  if (format === 'uuid') return [...equal, 'contains', 'starts with']
  if (isNumeric(column) || moments.has(format)) return [...ordered, 'contains', '~~', '~~*']
  if (/(?:range)$/.test(format)) return ['@>', '&&', ...ordered]
  return [...ordered, ...like]
}

/** What a value looks like. */
export function exampleOf(operator: FilterOperator, column: Column | undefined): string {
  if (operator === 'in') return 'a, b, c'
  if (operator === 'is') return 'null'
  if (operator !== '@>' && operator !== '&&') return ''
  return column?.data_type === 'ARRAY' ? 'a, b' : column && isDocument(column) ? '{"a": 1}' : ''
}
