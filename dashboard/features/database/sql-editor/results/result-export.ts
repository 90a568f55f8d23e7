import { quoteIdent, quoteLiteral } from '#contract/ddl/sql-text'
import type { ResultCell, ResultField } from '#contract/database/sql/sql-query'

type Result = { fields: readonly ResultField[]; rows: readonly (readonly ResultCell[])[] }

const numeric = new Set(['int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'oid', 'money'])
/** Shown at the right, as figures are. */
export const isNumeric = (type: string) => numeric.has(type)

/** A cell's text, as far as we have it: of a long one only the head was sent. */
export const textOf = (cell: ResultCell): string | null =>
  typeof cell === 'object' && cell !== null ? cell.head : cell

export const isCut = (cell: ResultCell): boolean => typeof cell === 'object' && cell !== null

/** How many cells of a result are only heads, which an export has to say. */
export const cutCells = ({ rows }: Result): number =>
  rows.reduce((sum, row) => sum + row.filter(isCut).length, 0)

/** RFC 4180 with a header. NULL is nothing, the empty string is "". What writes it comes when it is needed. */
export async function toCsv({ fields, rows }: Result): Promise<string> {
  const csvLines = await loadCsv()
  return csvLines([fields.map(({ name }) => name), ...rows])
}

/** Writes rows as lines of CSV, each with its end. */
export async function loadCsv() {
  const { csvText } = await import('../../../../ui/csv.ts')
  return (rows: readonly (readonly ResultCell[])[]): string =>
    csvText(rows.map((row) => row.map(textOf)))
}

/**
 * A list of objects, one a line. Numbers keep every digit they have, JSON columns are embedded, and a name that comes
 * twice gets a number, because an object can hold it only once.
 */
export function toJson({ fields, rows }: Result): string {
  const names = unique(fields.map(({ name }) => name)).map((name) => JSON.stringify(name))
  const object = (row: readonly ResultCell[]) =>
    fields.map(({ type }, i) => `${names[i]}:${jsonCell(row[i] ?? null, type)}`).join(',')
  return rows.length ? `[\n${rows.map((row) => `  {${object(row)}}`).join(',\n')}\n]\n` : '[]\n'
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function jsonCell(cell: ResultCell, type: string): string {
  const text = textOf(cell)
  if (text === null) return 'null'
  if (isCut(cell)) return JSON.stringify(text)
  if (type === 'bool') return text === 't' || text === 'true' ? 'true' : 'false'
  if (isNumeric(type) && jsonNumber.test(text)) return text
  if (type === 'json' || type === 'jsonb') return text.trim()
  return JSON.stringify(text)
}

function unique(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.map((name) => {
    let free = name
    for (let n = 2; seen.has(free); n += 1) free = `${name}_${n}`
    seen.add(free)
    return free
  })
}

/** INSERT statements into a table that the reader names; every value a literal that Postgres reads as its type. */
export function toSql({ fields, rows }: Result, table = 'table_name'): string {
  const columns = unique(fields.map(({ name }) => name))
    .map(quoteIdent)
    .join(', ')
  const lines = rows.map(
    (row) => `  (${fields.map(({ type }, i) => sqlCell(row[i] ?? null, type)).join(', ')})`,
  )
  return lines.length ? `insert into ${table} (${columns}) values\n${lines.join(',\n')};\n` : ''
}

function sqlCell(cell: ResultCell, type: string): string {
  const text = textOf(cell)
  if (text === null) return 'NULL'
  if (type === 'bool') return text === 't' || text === 'true' ? 'true' : 'false'
  return isNumeric(type) && jsonNumber.test(text) ? text : quoteLiteral(text)
}

/** A table as GitHub draws it. */
export function toMarkdown({ fields, rows }: Result): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const head = line(fields.map(({ name }) => markdownCell(name)))
  const rule = line(fields.map(({ type }) => (isNumeric(type) ? '---:' : '---')))
  return `${[head, rule, ...rows.map((row) => line(row.map(markdownCell)))].join('\n')}\n`
}

const markdownCell = (cell: ResultCell): string =>
  (textOf(cell) ?? 'NULL').replace(/[\\|]/g, '\\$&').replace(/\r\n|\r|\n/g, '<br>')
