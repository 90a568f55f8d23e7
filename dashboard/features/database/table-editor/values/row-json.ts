import type { Column } from '#contract/database/pg-meta-shapes'
import type { CellView } from '../../../../ui/grid/grid-types.ts'

/** Numbers whose text is JSON as it stands, so that no digit is lost. */
const numeric = new Set(['int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'oid'])
const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

function valueOf(column: Column, { text, cut }: CellView): string {
  if (text === null) return 'null'
  if (cut) return JSON.stringify(`${text}…`)
  if (column.format === 'bool') return text
  if (numeric.has(column.format) && numberForm.test(text)) return text
  if (column.format === 'json' || column.format === 'jsonb') return text
  return JSON.stringify(text)
}

/** A row as a JSON object over several lines, with every number as the database printed it. */
export function rowJson(columns: readonly Column[], cells: readonly CellView[]): string {
  const lines = columns.map(
    (column, at) =>
      `  ${JSON.stringify(column.name)}: ${valueOf(column, cells[at] ?? { text: null })}`,
  )
  return `{\n${lines.join(',\n')}\n}`
}
