import { Transform } from 'node:stream'
import { ApiError } from '#kit/errors'

type Options = {
  /** One sign of ASCII. */
  delimiter: string
  header: boolean
  /** For each column of the file, whether it goes on. */
  kept: readonly boolean[]
  /** What is not quoted and empty goes on as NULL. */
  emptyIsNull: boolean
  /** A row, the head not counted, has so many values; they go on when this answers true. */
  onRow: (values: number) => boolean
  /** Bytes of the longest row: a quote that is never closed would gather the whole file into one. */
  longestRow?: number
}

const [tab, newline, carriage, quote, backslash] = [0x09, 0x0a, 0x0d, 0x22, 0x5c]
const capitalN = 0x4e
/** What COPY's text format writes after a backslash for the four signs that mean something to it. */
const escapeOf = new Uint8Array(256)
escapeOf[tab] = 0x74
escapeOf[newline] = 0x6e
escapeOf[carriage] = 0x72
escapeOf[backslash] = backslash

/** Where the reader is: before a value, within one, within quotes, behind a quote within quotes. */
const [before, plain, quoted, behind] = [0, 1, 2, 3]

/**
 * CSV as COPY's text format, byte by byte, as a file of gigabytes wants it. Rows end with LF or CRLF, or with CR where the
 * first one does; a quote in the midst of a value is one like any other sign, and so are two that do not enclose it all.
 * Lines without a sign are no rows, unless the file has one column, in which they are values.
 */
export function csvLines(options: Options): Transform {
  const { header, kept, emptyIsNull, onRow, longestRow = 50_000_000 } = options
  const delimiter = options.delimiter.charCodeAt(0)
  const columns = kept.length
  const firstKept = kept.indexOf(true)
  let out = Buffer.alloc(0)
  /** Ends of what is written, and of the last whole row in it. */
  let end = 0
  let rowAt = 0
  let state = before
  let column = 0
  let fieldAt = 0
  /** Signs of the value and of the row so far, whether they go on or not. */
  let fieldSigns = 0
  let rowBytes = 0
  let wasQuoted = false
  let goesOn = kept[0] ?? false
  /** A CR may be the first half of an end. */
  let heldCarriage = false
  let endsWithCarriage: boolean | undefined
  let headLeft = header
  let start: Buffer | undefined = Buffer.alloc(0)

  function put(byte: number): void {
    fieldSigns += 1
    if (!goesOn) return
    const escape = escapeOf[byte] ?? 0
    if (escape !== 0) {
      out[end++] = backslash
      out[end++] = escape
    } else out[end++] = byte
  }
  function beginField(): void {
    state = before
    fieldSigns = 0
    wasQuoted = false
    goesOn = kept[column] ?? false
    if (goesOn && column > firstKept) out[end++] = tab
    fieldAt = end
  }
  function endField(): void {
    if (goesOn && emptyIsNull && !wasQuoted && fieldSigns === 0) {
      out[end++] = backslash
      out[end++] = capitalN
    }
  }
  function endRow(): void {
    const isEmpty = column === 0 && fieldSigns === 0 && !wasQuoted && columns > 1
    endField()
    if (isEmpty || headLeft || !onRow(column + 1)) end = rowAt
    else out[end++] = newline
    if (!isEmpty) headLeft = false
    rowAt = end
    column = 0
    rowBytes = 0
    beginField()
  }
  /** The quotes did not enclose the whole value: they are signs of it. */
  function reopen(): void {
    if (goesOn) {
      out.copyWithin(fieldAt + 1, fieldAt, end)
      out[fieldAt] = quote
      end += 1
    }
    fieldSigns += 1
    put(quote)
    state = plain
  }

  function take(byte: number): void {
    if (state === quoted) {
      if (byte === quote) state = behind
      else put(byte)
      return
    }
    if (heldCarriage) {
      heldCarriage = false
      if (byte === newline) {
        endsWithCarriage ??= false
        return endRow()
      }
      if (endsWithCarriage === undefined) {
        endsWithCarriage = true
        endRow()
        return take(byte)
      }
      if (state === behind) reopen()
      put(carriage)
      state = plain
      return take(byte)
    }
    if (state === behind && byte === quote) {
      put(quote)
      state = quoted
      return
    }
    if (byte === delimiter) {
      endField()
      column += 1
      beginField()
    } else if (byte === newline) {
      endsWithCarriage ??= false
      endRow()
    } else if (byte === carriage) {
      if (endsWithCarriage) endRow()
      else heldCarriage = true
    } else if (byte === quote && fieldSigns === 0 && !wasQuoted) {
      state = quoted
      wasQuoted = true
    } else {
      if (state === behind) reopen()
      state = plain
      put(byte)
    }
  }

  /** What was written for whole rows; the rest stays. */
  function done(): Buffer {
    const rows = Buffer.from(out.subarray(0, rowAt))
    out.copyWithin(0, rowAt, end)
    fieldAt -= rowAt
    end -= rowAt
    rowAt = 0
    return rows
  }
  function takeAll(chunk: Buffer): Buffer {
    // At worst a sign becomes a tab and a NULL.
    const needed = end + chunk.length * 3 + 8
    if (out.length < needed) {
      const larger = Buffer.allocUnsafe(needed)
      out.copy(larger, 0, 0, end)
      out = larger
    }
    rowBytes += chunk.length
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      // Most signs mean nothing.
      if (
        state === plain &&
        !heldCarriage &&
        byte > quote &&
        byte !== delimiter &&
        byte !== backslash
      ) {
        fieldSigns += 1
        if (goesOn) out[end++] = byte
      } else take(byte)
    }
    return done()
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      try {
        if (start) {
          start = Buffer.concat([start, chunk])
          if (start.length < 3) return callback()
          const whole = withoutMark(start)
          start = undefined
          return callback(null, takeAll(whole))
        }
        if (rowBytes > longestRow) return callback(endless())
        return callback(null, takeAll(chunk))
      } catch (error) {
        return callback(error instanceof Error ? error : new Error(String(error)))
      }
    },
    flush(callback) {
      const first = start ? takeAll(withoutMark(start)) : Buffer.alloc(0)
      out = Buffer.concat([out, Buffer.alloc(8)])
      if (state === quoted) return callback(unclosed())
      if (heldCarriage) {
        heldCarriage = false
        if (endsWithCarriage === undefined) endRow()
        else {
          if (state === behind) reopen()
          put(carriage)
        }
      }
      if (column > 0 || fieldSigns > 0 || wasQuoted) endRow()
      return callback(null, Buffer.concat([first, done()]))
    },
  })
}

/** Some programs begin a file with a mark that says it is UTF-8. */
const withoutMark = (bytes: Buffer) =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

const unclosed = () =>
  new ApiError('invalid_input', 'The file cannot be read as CSV: a quote is never closed')
const endless = () =>
  new ApiError(
    'invalid_input',
    'The file cannot be read as CSV: a row is longer than any that can be imported; a quote may not be closed',
  )
