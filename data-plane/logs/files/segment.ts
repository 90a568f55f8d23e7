import { constants, open, rename, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from '#kit/postgres/files'
import type { Span } from './days.ts'
import { headerLine } from './entry-lines.ts'
import { activeName, sealedName } from './file-names.ts'
import { statOf } from './project-folders.ts'
import type { Batch } from './waiting.ts'

/** Lines that are not in the file, and why. */
export type Unwritten = { times: number[]; error: unknown }

const newline = 10

type Options = {
  folder: string
  key: string
  day: number
  mode: number
  now: number
  /** Hears of the file once it is there, before it has a line. */
  onMade: (path: string) => Promise<void>
}

/** One file that this process, and nobody else, adds lines to. */
export class Segment {
  readonly key: string
  readonly day: number
  readonly openedAt: number
  /** Bytes that are whole lines. */
  bytes = 0
  span: Span | undefined
  usedAt: number
  private readonly folder: string
  private readonly mode: number
  private readonly onMade: (path: string) => Promise<void>
  private handle: FileHandle | undefined
  private made = false

  constructor(options: Options) {
    this.folder = options.folder
    this.key = options.key
    this.day = options.day
    this.mode = options.mode
    this.onMade = options.onMade
    this.openedAt = options.now
    this.usedAt = options.now
  }

  private get path(): string {
    return join(this.folder, activeName(this.key))
  }

  /**
   * Writes lines, all at once. Where not all can be written, those that could not are answered, and the file ends with the
   * last whole one. Throws when the folder is gone.
   */
  async write({ lines, times }: Batch, now: number): Promise<Unwritten | undefined> {
    this.usedAt = now
    const isNew = this.bytes === 0
    const bytes = Buffer.from((isNew ? headerLine : '') + lines.join(''))
    let written = 0
    try {
      const handle = (this.handle ??= await this.open())
      while (written < bytes.length) {
        const { bytesWritten } = await handle.write(bytes, written)
        written += bytesWritten
      }
      this.note(times, bytes.length)
      return undefined
    } catch (error) {
      if (isMissing(error)) throw error
      const whole = bytes.subarray(0, written).lastIndexOf(newline) + 1
      const kept = countLines(bytes.subarray(0, whole)) - (isNew && whole > 0 ? 1 : 0)
      if (whole > 0) this.note(times.slice(0, kept), whole)
      await this.handle?.truncate(this.bytes)
      return { times: times.slice(kept), error }
    }
  }

  private async open(): Promise<FileHandle> {
    const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = constants
    // A file that was removed meanwhile is not made again: it would be one without a first line.
    const make = this.made ? 0 : O_CREAT | O_EXCL
    const handle = await open(this.path, O_WRONLY | O_APPEND | make, this.mode)
    if (this.made) return handle
    await handle.chmod(this.mode)
    this.made = true
    await this.onMade(this.path)
    return handle
  }

  private note(times: number[], bytes: number): void {
    this.bytes += bytes
    if (times.length === 0) return
    let [first, last] = this.span ? [this.span.from, this.span.to - 1] : [Infinity, -Infinity]
    for (const at of times) {
      if (at < first) first = at
      if (at > last) last = at
    }
    this.span = { from: first, to: last + 1 }
  }

  /** Closes the file until there is something for it again. */
  async rest(): Promise<void> {
    const { handle } = this
    this.handle = undefined
    await handle?.close()
  }

  /** Somebody has removed it: what is written to it now is nowhere. */
  async isGone(): Promise<boolean> {
    if (!this.handle) return false
    // How many names the file has says nothing: drains have some of their own.
    const [named, open] = await Promise.all([statOf(this.path), this.handle.stat()])
    if (named?.ino === open.ino) return false
    await this.rest()
    return true
  }

  /** Nobody adds to it any more. Nothing happens where it is gone, or has nothing. */
  async seal(): Promise<void> {
    await this.rest()
    if (!this.span) return
    try {
      await rename(this.path, join(this.folder, sealedName(this.span, this.key)))
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
}

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count += 1
  return count
}
