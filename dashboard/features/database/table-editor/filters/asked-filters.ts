import { joinValues } from '#contract/database/rows/filter-values'
import { readJsonPath } from '#contract/database/rows/json-path'
import { filterOperators, type RowFilter } from '#contract/database/rows/table-rows'
import { askOnce } from '../../../../session/identity/ask-once.ts'
import { operatorWords } from './operators.ts'
import { inGroups } from './filter-text.ts'

type Named = { name: string; format?: string }
type Table = { schema: string; name: string; columns: readonly Named[] }
const maxFilters = 50

const operatorList = filterOperators.map((one) => `${one} (${operatorWords[one]})`).join(', ')

/**
 * The conditions that a wish in words means, as the assistant reads it.
 * @throws CallError when there is no answer; Error when the answer is no condition on this table
 */
export async function askFilters(
  ref: string,
  { schema, name, columns }: Table,
  wish: string,
  signal: AbortSignal,
): Promise<RowFilter[]> {
  const text = `Which conditions find these rows of the attached table? Answer with a JSON array alone, without any SQL. Each element is {"column", "operator", "value"}, for a part of a JSON document also "path" as in address.lines[0]; the operators are ${operatorList}; values are texts as Postgres writes them, for "in", for "between", and for "@>" and "&&" of arrays divided by commas. All conditions must hold; an element with "or": true begins another group, of which all must hold instead. Today is ${new Date().toISOString().slice(0, 10)}.\n\n${wish}`
  const answer = await askOnce(
    ref,
    [
      { type: 'table', schema, name },
      { type: 'text', text },
    ],
    signal,
  )
  return filtersIn(answer, columns)
}

/** @throws Error when a part of the answer is no condition on these columns: half a wish would show the wrong rows */
export function filtersIn(answer: string, columns: readonly Named[]): RowFilter[] {
  const [json] = /\[[\s\S]*\]/.exec(answer) ?? []
  const found = json === undefined ? undefined : readJson(json)
  if (!Array.isArray(found) || found.length === 0 || found.length > maxFilters)
    throw new Error('The assistant found no conditions. Try again with column names')
  return inGroups(found.map((one: unknown) => filterOf(one, columns)))
}

function filterOf(found: unknown, columns: readonly Named[]): RowFilter {
  if (typeof found !== 'object' || found === null) throw new Error('The answer could not be read')
  const { column, path, operator, value, or } = found as Record<string, unknown>
  const known = columns.find(({ name }) => name === column)
  const way = filterOperators.find((one) => one === operator)
  if (!known) throw new Error(`The answer names a column that there is not: ${String(column)}`)
  if (!way) throw new Error(`The answer compares in a way that there is not: ${String(operator)}`)
  if (path !== undefined && (typeof path !== 'string' || !readJsonPath(path)))
    throw new Error(`The answer names a path that cannot be read: ${JSON.stringify(path)}`)
  const several = Array.isArray(value) && !(way === '@>' && /^jsonb?$/.test(known.format ?? ''))
  const text = several ? joinValues(value.map(textOf)) : textOf(value)
  const part = path === undefined ? {} : { path }
  const group = or === true ? { or: true } : {}
  return { column: known.name, operator: way, value: text, ...part, ...group }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
