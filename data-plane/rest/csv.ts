import { badBody } from './problem.ts'

/** Rows of a CSV text (RFC 4180) whose first line names the columns. A bare NULL is null, all else is text. */
export function parseCsv(text: string): Record<string, string | null>[] {
  const [header, ...lines] = parseLines(text)
  if (!header) throw badBody('The CSV body has no header line')
  const names = header.map((cell) => cell ?? 'NULL')
  return lines.map((cells, index) => {
    if (cells.length !== names.length) {
      throw badBody(
        'All lines must have same number of fields',
        `Line ${index + 2} has ${cells.length}`,
      )
    }
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? null]))
  })
}

function parseLines(text: string): (string | null)[][] {
  const lines: (string | null)[][] = []
  let line: (string | null)[] = []
  // One cell and the delimiter behind it; sticky, so nothing can be skipped over.
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y
  while (cell.lastIndex < text.length) {
    const start = cell.lastIndex
    const match = cell.exec(text)
    if (!match) throw badBody('Malformed CSV', `Unexpected character after position ${start}`)
    const [, quoted, plain = '', delimiter] = match
    line.push(quoted === undefined ? unlessNull(plain) : quoted.replaceAll('""', '"'))
    if (delimiter === ',') {
      // A comma at the very end opens one more, empty cell.
      if (cell.lastIndex === text.length) line.push('')
      continue
    }
    lines.push(line)
    line = []
  }
  if (line.length > 0) lines.push(line)
  return lines
}

const unlessNull = (text: string) => (text === 'NULL' ? null : text)
