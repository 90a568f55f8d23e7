import { open, type FileHandle } from 'node:fs/promises'

/** A line, and where in its file it begins and ends (behind its line break), in bytes. */
export type Line = { text: string; start: number; end: number }

const chunkBytes = 64 * 1024
const newline = 10

/** The oldest file may have gone since it was listed. */
async function openIfAny(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path)
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}
export const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

async function read(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.alloc(end - start)
  const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
  return buffer.subarray(0, bytesRead)
}

/** The whole lines of a piece of a file that begins at `offset`. */
function linesOf(piece: Buffer, offset: number): Line[] {
  const lines: Line[] = []
  let start = 0
  for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, start)) {
    const text = piece.subarray(start, at).toString()
    if (text !== '') lines.push({ text, start: offset + start, end: offset + at + 1 })
    start = at + 1
  }
  return lines
}

/** Whole lines before a place, the last first, read a piece at a time from behind. `before` is where a line begins, or the end. */
export async function* linesBackwards(path: string, before: number): AsyncGenerator<Line> {
  const file = await openIfAny(path)
  if (!file) return
  try {
    let end = before
    let rest: Buffer = Buffer.alloc(0)
    while (end > 0) {
      const start = Math.max(0, end - chunkBytes)
      const piece = Buffer.concat([await read(file, start, end), rest])
      // What stands before the first line break may be the end of a line that began earlier.
      const first = start === 0 ? 0 : piece.indexOf(newline) + 1
      if (start > 0 && first === 0) {
        rest = piece
        end = start
        continue
      }
      rest = piece.subarray(0, first)
      yield* linesOf(piece.subarray(first), start + first).toReversed()
      end = start
    }
  } finally {
    await file.close()
  }
}

/** Whole lines from a place on, as far as there are any. */
export async function* linesForwards(path: string, from: number): AsyncGenerator<Line> {
  const file = await openIfAny(path)
  if (!file) return
  try {
    const { size } = await file.stat()
    let rest: Buffer = Buffer.alloc(0)
    let at = Math.min(from, size)
    let offset = at
    while (at < size) {
      const end = Math.min(size, at + chunkBytes)
      const piece = Buffer.concat([rest, await read(file, at, end)])
      yield* linesOf(piece, offset)
      const last = piece.lastIndexOf(newline) + 1
      rest = piece.subarray(last)
      offset += last
      at = end
    }
  } finally {
    await file.close()
  }
}
