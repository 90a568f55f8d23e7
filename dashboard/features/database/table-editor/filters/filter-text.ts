import {
  filterOperators,
  type FilterOperator,
  type RowFilter,
} from '#contract/database/rows/table-rows'
import { readJsonPath } from '#contract/database/rows/json-path'

/**
 * A filter as it stands in the address: `column:operator:value`, `column->path:operator:value` for a part of a JSON
 * document, or `:sql:` and a condition.
 */
export function writeFilter(filter: RowFilter): string {
  if ('condition' in filter) return `${sql}${filter.condition}`
  const { column, path, operator, value } = filter
  return `${column}${path === undefined ? '' : `->${path}`}:${operator}:${value}`
}

const sql = ':sql:'
const operators = filterOperators
  .toSorted((a, b) => b.length - a.length)
  .map((operator) => operator.replace(/[*]/g, String.raw`\$&`))
/** What follows the name of a column. A path has a colon only within quotes. */
const rest = new RegExp(`^(?:->((?:"[^"]*"|[^":])+))?:(${operators.join('|')}):(.*)$`, 's')

/** A name may hold what divides the parts, so the names that there are go first, the longest before the others. */
export function parseFilter(
  text: string,
  columns: readonly { name: string }[],
): RowFilter | undefined {
  const names = columns
    .map(({ name }) => name)
    .filter((name) => text.startsWith(name))
    .toSorted((a, b) => b.length - a.length)
  for (const column of names) {
    const [, path, operator, value] = rest.exec(text.slice(column.length)) ?? []
    if (operator === undefined || value === undefined) continue
    if (path !== undefined && !readJsonPath(path)) continue
    // The expression above is made of the operators.
    const way = operator as FilterOperator
    return { column, ...(path === undefined ? {} : { path }), operator: way, value }
  }
  return text.startsWith(sql) && text.trim() !== sql
    ? { condition: text.slice(sql.length) }
    : undefined
}
