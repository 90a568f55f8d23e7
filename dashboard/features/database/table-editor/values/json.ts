import type { Column } from '#contract/database/pg-meta-shapes'
import type { CellView } from '../../../../ui/grid/grid-types.ts'

/** A JSON value with its numbers and texts as they are written. */
export type JsonNode =
  | { kind: 'object'; entries: { name: string; value: JsonNode }[] }
  | { kind: 'array'; items: JsonNode[] }
  | { kind: 'leaf'; text: string }

const tokens = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/g

/** Deeper than this is shown as text: a value from anybody must not exhaust the page. */
const deepest = 200

/** Undefined when it is not JSON, or too deep to be looked at so. */
export function jsonTree(text: string): JsonNode | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const parts = text.match(tokens) ?? []
  let at = 0
  let tooDeep = false
  function read(depth: number): JsonNode {
    const part = parts[at++] ?? ''
    tooDeep ||= depth > deepest
    if (tooDeep || (part !== '{' && part !== '[')) return { kind: 'leaf', text: part }
    if (part === '[') {
      const items: JsonNode[] = []
      while (at < parts.length && parts[at] !== ']') {
        items.push(read(depth + 1))
        if (parts[at] === ',') at += 1
      }
      at += 1
      return { kind: 'array', items }
    }
    const entries: { name: string; value: JsonNode }[] = []
    while (at < parts.length && parts[at] !== '}') {
      const name = String(JSON.parse(parts[at] ?? '""'))
      // The name and the colon behind it.
      at += 2
      entries.push({ name, value: read(depth + 1) })
      if (parts[at] === ',') at += 1
    }
    at += 1
    return { kind: 'object', entries }
  }
  const node = read(0)
  return tooDeep ? undefined : node
}

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
