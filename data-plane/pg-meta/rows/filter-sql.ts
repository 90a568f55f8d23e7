import { quoteIdent } from '#contract/ddl/sql-text'
import { splitValues } from '#contract/database/rows/filter-values'
import { readJsonPath } from '#contract/database/rows/json-path'
import type { Column, EntityDetail } from '#contract/database/pg-meta-shapes'
import type { ColumnFilter, RowFilter } from '#contract/database/rows/table-rows'
import { ApiError } from '#kit/errors'
import type { CheckedFilters } from './checked-filters.ts'
import { asText, columnOf, comparable, equatable, type Param } from './row-sql.ts'

/** Conditions that all must hold; groups of them, of which one must, become a single one. */
export function filtersSql(entity: EntityDetail, filters: CheckedFilters, param: Param): string[] {
  const conditions = filters.map((filter) => filterSql(entity, filter, param))
  const groups: string[][] = []
  for (const [at, condition] of conditions.entries()) {
    const last = groups.at(-1)
    if (last && !filters[at]?.or) last.push(condition)
    else groups.push([condition])
  }
  if (groups.length < 2) return conditions
  return [`(${groups.map((group) => `(${group.join(' and ')})`).join(' or ')})`]
}

/** What of a row is compared, for each way to compare it. */
type Operand = {
  self: string
  same: string
  ordered: string
  text: string
  json: string
  list: boolean
}

function filterSql(entity: EntityDetail, filter: RowFilter, param: Param): string {
  // The line break ends a comment that the condition may end with.
  if ('condition' in filter) return `(\n${filter.condition}\n)`
  const column = columnOf(entity, filter.column)
  const operand = filter.path === undefined ? wholeOf(column) : partOf(column, filter, param)
  return comparison(operand, filter, param)
}

const wholeOf = (column: Column): Operand => ({
  self: quoteIdent(column.name),
  same: equatable(column),
  ordered: comparable(column),
  text: asText(column),
  json: column.format === 'json' ? `${quoteIdent(column.name)}::jsonb` : quoteIdent(column.name),
  list: column.data_type === 'ARRAY',
})

/** Numbers would be ordered as text, 10 before 9. */
const notOfParts = new Set(['>', '<', '>=', '<=', 'between', '&&'])

function partOf({ name }: Column, { path = '', operator }: ColumnFilter, param: Param): Operand {
  if (notOfParts.has(operator)) {
    const message = `What a JSON path finds is text, which ${operator} does not compare. Use an SQL condition`
    throw new ApiError('invalid_input', message)
  }
  const parts = `${param(arrayText(readJsonPath(path) ?? []))}::text[]`
  const json = `(${quoteIdent(name)} #> ${parts})`
  const text = `(${quoteIdent(name)} #>> ${parts})`
  return { self: text, same: text, ordered: text, text, json: `${json}::jsonb`, list: false }
}

function comparison(
  operand: Operand,
  { operator, value, path }: ColumnFilter,
  param: Param,
): string {
  switch (operator) {
    case '=':
    case '<>':
      return `${operand.same} ${operator} ${param(value)}`
    case '>':
    case '<':
    case '>=':
    case '<=':
      return `${operand.ordered} ${operator} ${param(value)}`
    case '~~':
    case '~~*':
      return `${operand.text} ${operator} ${param(value)}`
    case 'contains':
      return `${operand.text} ilike ${param(`%${literally(value)}%`)}`
    case 'starts with':
      return `${operand.text} ilike ${param(`${literally(value)}%`)}`
    case 'in': {
      const list = listOf(value).map(param)
      return list.length > 0 ? `${operand.same} in (${list.join(', ')})` : 'false'
    }
    case 'between': {
      const [from, to, ...more] = listOf(value)
      if (from === undefined || to === undefined || more.length > 0)
        throw new ApiError('invalid_input', 'between takes two values, separated by a comma')
      return `${operand.ordered} between ${param(from)} and ${param(to)}`
    }
    case 'is': {
      const keyword = value.trim().toLowerCase()
      if (!/^(?:null|not null|true|false|unknown)$/.test(keyword)) {
        throw new ApiError('invalid_input', 'is takes null, not null, true or false')
      }
      return `${operand.self} is ${keyword}`
    }
    case 'exists':
      if (path === undefined)
        throw new ApiError('invalid_input', 'exists takes a path within a JSON document')
      return `${operand.json} is not null`
    case '@>':
    case '&&':
      return `${operand.json} ${operator} ${param(operand.list ? arrayOf(value) : value)}`
  }
}

/** Text in which LIKE finds no pattern. */
const literally = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

function listOf(text: string): string[] {
  const values = splitValues(text)
  if (!values) throw new ApiError('invalid_input', 'A double quote in the list is not closed')
  return values
}

/** An array as Postgres writes it stays as it is; anything else is values between commas. */
const arrayOf = (text: string) => (/^\s*\{.*\}\s*$/s.test(text) ? text : arrayText(listOf(text)))

const arrayText = (items: readonly string[]) =>
  `{${items.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`
