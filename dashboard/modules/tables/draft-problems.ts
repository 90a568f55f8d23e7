import type { DraftColumn, DraftTable } from './draft-table.ts'

const tooLong = (name: string) => new TextEncoder().encode(name).length > 63

function nameProblem(name: string, what: string): string | undefined {
  if (name === '') return `A ${what} needs a name`
  if (tooLong(name)) return 'A name has at most 63 bytes'
  return undefined
}

/** What is wrong with the form, by the id of the column or key, or `name`; empty when nothing is. */
export function problemsOf(table: DraftTable): Record<string, string> {
  const problems: Record<string, string> = {}
  const name = nameProblem(table.name.trim(), 'table')
  if (name) problems['name'] = name
  const names = table.columns.map((column) => column.name.trim())
  for (const column of table.columns) {
    const trimmed = column.name.trim()
    const problem =
      nameProblem(trimmed, 'column') ??
      (names.indexOf(trimmed) !== names.lastIndexOf(trimmed)
        ? 'Another column has this name'
        : undefined) ??
      kindProblem(column)
    if (problem) problems[column.id] = problem
  }
  const ids = new Set(table.columns.map(({ id }) => id))
  for (const key of table.keys) {
    const whole =
      (key.self || key.table !== '') &&
      key.pairs.length > 0 &&
      key.pairs.every(
        ({ column, target }) => ids.has(column) && (key.self ? ids.has(target) : target !== ''),
      )
    if (!whole) problems[key.id] = 'Choose the table and a column on both sides'
  }
  return problems
}

function kindProblem({ type, generated, identity, default: value }: DraftColumn) {
  if (type.trim() === '') return 'A column needs a type'
  if (generated.trim() !== '' && identity) return 'It can be generated or an identity, not both'
  if (generated.trim() !== '' && value.trim() !== '')
    return 'It can be generated or have a default, not both'
  return undefined
}
