import type { ResultCell } from '#contract/database/sql/sql-query'
import { cellHeadLength } from '#contract/database/rows/table-rows'
import { ProtocolError } from '#kit/postgres/message-watch'

type OnRow = (cells: ResultCell[]) => void

const headerBytes = 5
const dataRow = 'D'.charCodeAt(0)
/** Rows up to this size are put together in memory; of larger ones only the cells' heads are kept as they pass. */
const wholeRowBytes = 256 * 1024
/** A result of Postgres has 1664 at most. */
const maxCells = 1664
/** A character takes 4 bytes at most, so so many bytes always hold the head. */
const headBytes = cellHeadLength * 4

/**
 * Takes the rows out of a server's messages as they arrive, and passes everything else on. The driver would first
 * build each row whole; this way a value of any size costs no more memory than its head, and rows cost half the time.
 * Returns the function that wants the bytes, in pieces of any size, and throws when they are no messages.
 */
export function createRowFilter(
  onRow: OnRow,
  pass: (bytes: Buffer) => void,
  /** Cells of rows that fit into memory are wanted whole now, as a plan is. */
  isWhole: () => boolean = () => false,
) {
  let rest: Buffer | undefined
  let passing = 0
  let large: LargeRow | undefined
  return (piece: Buffer): void => {
    const bytes = rest ? Buffer.concat([rest, piece]) : piece
    rest = undefined
    let at = 0
    while (at < bytes.length) {
      if (passing > 0) {
        const end = Math.min(bytes.length, at + passing)
        pass(bytes.subarray(at, end))
        passing -= end - at
        at = end
      } else if (large) {
        at = large.read(bytes, at)
        if (large.isComplete()) {
          onRow(large.cells)
          large = undefined
        }
      } else if (bytes.length - at < headerBytes) {
        rest = bytes.subarray(at)
        return
      } else {
        const size = bytes.readInt32BE(at + 1) + 1
        if (size < headerBytes) throw new ProtocolError('The database sent no message')
        if (bytes[at] !== dataRow) passing = size
        else if (bytes.length - at >= size) {
          onRow(readRow(bytes, at + headerBytes, isWhole()))
          at += size
        } else if (size <= wholeRowBytes) {
          rest = bytes.subarray(at)
          return
        } else {
          large = createLargeRow()
          at += headerBytes
        }
      }
    }
  }
}

function readRow(bytes: Buffer, start: number, whole: boolean): ResultCell[] {
  const count = bytes.readUInt16BE(start)
  const cells: ResultCell[] = []
  let at = start + 2
  for (let i = 0; i < count; i += 1) {
    const size = bytes.readInt32BE(at)
    at += 4
    if (size < 0) cells.push(null)
    else {
      cells.push(whole ? bytes.toString('utf8', at, at + size) : cellOf(bytes, at, size))
      at += size
    }
  }
  return cells
}

function cellOf(bytes: Buffer, at: number, size: number): ResultCell {
  const text = bytes.toString('utf8', at, at + Math.min(size, headBytes))
  return text.length <= cellHeadLength ? text : { head: headOf(text), bytes: size }
}

/** Never ends between the halves of a character. */
function headOf(text: string): string {
  const last = text.charCodeAt(cellHeadLength - 1)
  return text.slice(0, cellHeadLength - (last >= 0xd800 && last <= 0xdbff ? 1 : 0))
}

type LargeRow = ReturnType<typeof createLargeRow>

/** Reads one row from pieces: a count, then for each cell its size and its bytes. */
function createLargeRow() {
  const cells: ResultCell[] = []
  let count = -1
  let number = 0
  let numberBytes = 2
  let size = 0
  let left = 0
  let head: Buffer[] = []
  let kept = 0

  const startCell = (given: number) => {
    size = given | 0
    left = Math.max(0, size)
    head = []
    kept = 0
    if (size <= 0) endCell()
  }
  const endCell = () => {
    cells.push(size < 0 ? null : cellOf(padded(head, size), 0, size))
    number = 0
    numberBytes = 4
  }
  const readNumber = (byte: number) => {
    number = (number << 8) | byte
    numberBytes -= 1
    if (numberBytes > 0) return
    if (count >= 0) startCell(number)
    else {
      count = number
      if (count > maxCells) throw new ProtocolError('The database sent no row')
      number = 0
      numberBytes = 4
    }
  }
  const readBytes = (bytes: Buffer, at: number) => {
    const end = Math.min(bytes.length, at + left)
    const taken = Math.min(end - at, headBytes - kept)
    // A copy: a slice would keep the whole piece in memory.
    if (taken > 0) head.push(Buffer.from(bytes.subarray(at, at + taken)))
    kept += Math.max(0, taken)
    left -= end - at
    if (left === 0) endCell()
    return end
  }
  return {
    cells,
    isComplete: () => count === cells.length,
    read(bytes: Buffer, start: number): number {
      let at = start
      while (at < bytes.length && count !== cells.length) {
        if (left > 0) at = readBytes(bytes, at)
        else {
          readNumber(bytes[at] ?? 0)
          at += 1
        }
      }
      return at
    },
  }
}

const padded = (head: Buffer[], size: number) =>
  head.length === 1 && head[0] ? head[0] : Buffer.concat(head, Math.min(size, headBytes))
