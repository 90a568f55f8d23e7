import { maxKeys } from '#kit/http/json-rows'
import { inSlices } from '#kit/slices'
import { badBody } from './problem.ts'

type Cell = string | null
/** Cells, lines and quotes that are read in one turn of the event loop. */
const perSlice = 2000

/** The rows of a CSV text (RFC 4180), whose first line names the columns, as JSON. A bare NULL is null, all else is text. */
export async function csvToJson(
  text: string,
): Promise<{ json: Buffer; keys: readonly string[]; length: number }> {
  const rows = new Rows()
  const lines = readLines(text)
  await inSlices(() => {
    for (let i = 0; i < perSlice; i++) {
      const { done, value } = lines.next()
      if (done) return true
      if (value) rows.add(value)
    }
    return false
  })
  return rows.all()
}

class Rows {
  private names: readonly string[] | undefined
  private keys: readonly string[] = []
  private length = 0
  private readonly parts: Buffer[] = []
  private text = '['

  add(cells: readonly Cell[]): void {
    if (!this.names) {
      this.names = cells.map((cell) => cell ?? 'NULL')
      this.keys = Object.keys(Object.fromEntries(this.names.map((name) => [name, null])))
      return
    }
    if (cells.length !== this.names.length) {
      throw badBody(
        'All lines must have same number of fields',
        `Line ${this.length + 2} has ${cells.length}`,
      )
    }
    const row = Object.fromEntries(this.names.map((name, i) => [name, cells[i] ?? null]))
    this.text += `${this.length === 0 ? '' : ','}${JSON.stringify(row)}`
    this.length++
    if (this.text.length > 65_536) this.pack()
  }

  all() {
    if (!this.names) throw badBody('The CSV body has no header line')
    this.text += ']'
    this.pack()
    return { json: Buffer.concat(this.parts), keys: this.keys, length: this.length }
  }

  private pack(): void {
    this.parts.push(Buffer.from(this.text))
    this.text = ''
  }
}

/** Lines as they are read, with undefined between where reading may pause. */
function* readLines(text: string): Generator<Cell[] | undefined, void> {
  let line: Cell[] = []
  // A bare cell and the delimiter behind it; sticky, so nothing can be skipped over.
  const bare = /([^",\r\n]*)(,|\r?\n|$)/y
  const behind = /(,|\r?\n|$)/y
  let at = 0
  while (at < text.length) {
    const start = at
    let cell: Cell
    let delimiter: RegExpExecArray | null
    if (text[at] === '"') {
      const quoted = yield* readQuoted(text, at + 1)
      cell = quoted.cell
      behind.lastIndex = quoted.end
      delimiter = behind.exec(text)
      at = behind.lastIndex
    } else {
      bare.lastIndex = at
      delimiter = bare.exec(text)
      at = bare.lastIndex
      const [, plain = ''] = delimiter ?? []
      cell = plain === 'NULL' ? null : plain
    }
    if (!delimiter) throw malformedAt(start)
    line.push(cell)
    if (line.length > maxKeys) throw badBody(`A line has more than ${maxKeys} fields`)
    yield undefined
    if (delimiter.at(-1) === ',') {
      // A comma at the very end opens one more, empty cell.
      if (at === text.length) line.push('')
      continue
    }
    yield line
    line = []
  }
  if (line.length > 0) yield line
}

/** What stands between quotes, the first of which is read already; two of them are one that is meant. */
function* readQuoted(
  text: string,
  from: number,
): Generator<undefined, { cell: string; end: number }> {
  const parts: string[] = []
  for (let at = from; ;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) throw malformedAt(from - 1)
    parts.push(text.slice(at, quote))
    if (text[quote + 1] !== '"') return { cell: parts.join('"'), end: quote + 1 }
    at = quote + 2
    yield undefined
  }
}

const malformedAt = (position: number) =>
  badBody('Malformed CSV', `Unexpected character after position ${position}`)
