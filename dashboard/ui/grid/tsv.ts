/** Cells as spreadsheets put them on the clipboard: tabs between, quotes around what needs them. */
export type Block = (string | null)[][]

const needsQuotes = /["\t\r\n]/

/** NULL is nothing at all, empty text a pair of quotes: spreadsheets show both as empty, and we tell them apart. */
const written = (value: string | null): string => {
  if (value === null) return ''
  return value === '' || needsQuotes.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

/** One cell goes out as it is, since it is pasted into texts more often than into tables. */
export function writeBlock(block: Block): string {
  const [first] = block
  if (block.length === 1 && first?.length === 1) return first[0] ?? ''
  return block.map((row) => row.map(written).join('\t')).join('\n')
}

/** Reads what spreadsheets, editors and `writeBlock` wrote. What is not quoted and empty is NULL. */
export function readBlock(text: string): Block {
  const block: Block = []
  let row: (string | null)[] = []
  let at = 0
  // The last line's end is no further row.
  const end = text.endsWith('\r\n') ? text.length - 2 : text.length - (text.endsWith('\n') ? 1 : 0)
  while (at <= end) {
    const { value, next } = readCell(text, at, end)
    row.push(value)
    if (next < end && text[next] === '\t') at = next + 1
    else {
      block.push(row)
      row = []
      if (next >= end) break
      at = next + (text.startsWith('\r\n', next) ? 2 : 1)
    }
  }
  return block
}

function readCell(text: string, at: number, end: number): { value: string | null; next: number } {
  if (text[at] === '"') {
    const quoted = readQuoted(text, at, end)
    if (quoted) return quoted
  }
  let next = at
  while (next < end && text[next] !== '\t' && text[next] !== '\n' && !text.startsWith('\r\n', next))
    next += 1
  return { value: next === at ? null : text.slice(at, next), next }
}

/** Undefined when it is not a cell in quotes after all, but text that begins with one. */
function readQuoted(text: string, at: number, end: number) {
  let value = ''
  let from = at + 1
  for (;;) {
    const close = text.indexOf('"', from)
    if (close === -1 || close >= end) return undefined
    value += text.slice(from, close)
    if (text[close + 1] === '"' && close + 1 < end) {
      value += '"'
      from = close + 2
      continue
    }
    const next = close + 1
    const ends =
      next >= end || text[next] === '\t' || text[next] === '\n' || text.startsWith('\r\n', next)
    return ends ? { value, next } : undefined
  }
}

/**
 * A block laid over a selection: a single value fills it, and a block that fits into it a whole number of times is
 * repeated; else the block is laid once at its corner.
 */
export function laid(block: Block, size: { columns: number; rows: number }): Block {
  const rows = block.length
  const columns = Math.max(0, ...block.map((row) => row.length))
  if (rows === 0 || columns === 0) return []
  const fits = size.rows % rows === 0 && size.columns % columns === 0
  const height = fits ? size.rows : rows
  const width = fits ? size.columns : columns
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_cell, column) => block[row % rows]?.[column % columns] ?? null),
  )
}
