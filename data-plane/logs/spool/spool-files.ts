import { open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfExists } from '#kit/postgres/files'
import { namesIn } from '../files/project-folders.ts'
import { readLine, type LineEvent } from '../questions/rows.ts'

/** Lines that wait for one reader: another name of a segment, so they stay when the segment is packed or removed. */
export type SpoolFile = { key: string; writer: string; path: string }

export const lineFile = (folder: string, key: string): string => join(folder, `${key}.jsonl`)
const cursorFile = (folder: string, key: string): string => join(folder, `${key}.at`)

const pattern = /^(([0-9a-z]+)-(\d+))\.(jsonl|at)$/
type Named = SpoolFile & { number: number; ending: string }

/** The files of one reader in the order in which they were begun. Cursors whose file is gone are removed by the way. */
export async function spoolFiles(folder: string): Promise<SpoolFile[]> {
  const found: Named[] = []
  for (const name of await namesIn(folder)) {
    const [, key, writer, number, ending] = pattern.exec(name) ?? []
    if (key === undefined || writer === undefined || ending === undefined) continue
    found.push({ key, writer, number: Number(number), ending, path: join(folder, name) })
  }
  const lines = found.filter(({ ending }) => ending === 'jsonl')
  const keys = new Set(lines.map(({ key }) => key))
  for (const { key, ending, path } of found)
    if (ending === 'at' && !keys.has(key)) await rm(path, { force: true })
  return lines.toSorted((a, b) => a.writer.localeCompare(b.writer, 'en') || a.number - b.number)
}

/** How far a file was sent. What cannot be read says nothing: then it is sent again, under the same ids. */
export async function readCursor(folder: string, key: string): Promise<number> {
  const text = await readIfExists(cursorFile(folder, key))
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0
}

/** The old place or the new one, never half of it. It is not synced: a power cut has some entries sent again. */
export async function writeCursor(folder: string, key: string, offset: number): Promise<void> {
  const path = cursorFile(folder, key)
  await writeFile(`${path}.new`, String(offset), { mode: 0o600 })
  await rename(`${path}.new`, path)
}

/** Nothing of a file is to be sent any more. */
export async function removeFile(folder: string, key: string): Promise<void> {
  await rm(lineFile(folder, key), { force: true })
  await rm(cursorFile(folder, key), { force: true })
}

export type Lines = {
  events: LineEvent[]
  /** Where the line of each event ends. */
  ends: number[]
  /** Where the last whole line ends that was read. */
  end: number
  /** Whole lines follow. */
  hasMore: boolean
}

const newline = 10
/** Bytes of one line at most; services may write 64 kB. */
const longestLine = 4 * 1024 ** 2

/** Whole lines of a file from an offset on, up to so many entries and about so many bytes. @throws ENOENT */
export async function readLines(
  path: string,
  offset: number,
  most: { entries: number; bytes: number },
): Promise<Lines> {
  const file = await open(path, 'r')
  try {
    const left = Math.max((await file.stat()).size - offset, 0)
    for (let length = Math.min(left, most.bytes); ; length = Math.min(left, longestLine)) {
      const buffer = Buffer.allocUnsafe(length)
      const bytesRead = await readFully(file, buffer, offset)
      const bytes = buffer.subarray(0, bytesRead)
      const isWhole = bytes.includes(newline) || length === left || length >= longestLine
      if (isWhole) return linesOf(bytes, offset, most.entries, bytesRead < left)
    }
  } finally {
    await file.close()
  }
}

async function readFully(
  file: Awaited<ReturnType<typeof open>>,
  buffer: Buffer,
  offset: number,
): Promise<number> {
  let at = 0
  while (at < buffer.length) {
    const { bytesRead } = await file.read(buffer, at, buffer.length - at, offset + at)
    if (bytesRead === 0) break
    at += bytesRead
  }
  return at
}

function linesOf(bytes: Buffer, offset: number, most: number, isCut: boolean): Lines {
  const found: Lines = { events: [], ends: [], end: offset, hasMore: false }
  let at = 0
  for (let to = bytes.indexOf(newline); to >= 0; to = bytes.indexOf(newline, at)) {
    if (found.events.length >= most) return { ...found, hasMore: true }
    const event = readLine(bytes.toString('utf8', at, to))
    at = to + 1
    found.end = offset + at
    if (!event) continue
    found.events.push(event)
    found.ends.push(found.end)
  }
  return { ...found, hasMore: isCut }
}

/** Whole lines from an offset on. */
export async function countLines(path: string, offset: number): Promise<number> {
  let count = 0
  let at = offset
  for (;;) {
    const { events, end, hasMore } = await readLines(path, at, { entries: 5000, bytes: 1024 ** 2 })
    count += events.length
    if (!hasMore || end === at) return count
    at = end
  }
}
