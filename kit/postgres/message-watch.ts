import { ShortList } from './short-list.ts'

/** More has come from a database than a program of ours takes in at once. Says so as Postgres does of its own limits. */
export class OversizeError extends Error {
  override name = 'OversizeError'
  readonly code = '54000'
}

/** What came from a database is not the protocol of Postgres. Nothing can be read from this connection any more. */
export class ProtocolError extends Error {
  override name = 'ProtocolError'
  readonly code = '08P01'
}

export type Bounds = {
  /** Bytes of one message, which is one row or one piece of a copy. */
  messageBytes: number
  /** Bytes of all rows until the server is ready for the next query. Pieces of a copy are not kept, and do not count. */
  resultBytes: number
}
export const usualBounds: Bounds = { messageBytes: 64 * 2 ** 20, resultBytes: 128 * 2 ** 20 }

const headerBytes = 5
/** What a row takes in memory beside its values, so that endless empty rows have an end too. */
const rowBytes = 128
const code = (letter: string) => letter.charCodeAt(0)
const [row, ready, failure, notice] = ['D', 'Z', 'E', 'N'].map(code)
/** Every kind of message that a server sends (documentation, "Message Formats"). */
const kinds = new Set('RKSZTDCENAIGHWcd123nst'.split('').map(code))

/** Bytes of a failure or a notice from which on it is shortened. */
const longList = 1024 * 1024

/**
 * Follows a server's messages by their headers as bytes come in, before anything is made of them. Returns the function
 * that takes the bytes and answers what of them is to be read, or why no more of them should be.
 */
export function watchMessages(bounds: Bounds): (bytes: Buffer) => Error | readonly Buffer[] {
  const header = Buffer.alloc(headerBytes)
  let known = 0
  let kind = 0
  let left = 0
  let rows = 0
  /** The last two bytes of what is a list of texts. */
  let tail = 0
  let short: ShortList | undefined
  /** The bytes of a header that comes in pieces are kept until it is known whether they are handed on. */
  let held = false

  function begin(from: Buffer, at: number): Error | undefined {
    kind = from[at] ?? 0
    const length = from.readInt32BE(at + 1)
    if (!kinds.has(kind) || length < 4) return new ProtocolError('The database sent no message')
    left = length - 4
    tail = 0
    if (isList() && left === 0) return endless()
    if (isList() && left > longList) short = new ShortList(kind)
    if (left > bounds.messageBytes) return tooLarge('A value', bounds.messageBytes)
    if (kind === ready) rows = 0
    if (kind === row) rows += left + rowBytes
    return rows > bounds.resultBytes ? tooLarge('The result', bounds.resultBytes) : undefined
  }

  const isList = (of = kind) => of === failure || of === notice

  /** The driver reads such a list until its end, and would do so for ever. */
  const endless = () => new ProtocolError('The database sent a message without an end')

  function passList(bytes: Buffer, at: number, end: number): Error | undefined {
    for (let i = Math.max(at, end - 2); i < end; i += 1)
      tail = ((tail << 8) | (bytes[i] ?? 0)) & 0xffff
    return left === 0 && tail !== 0 ? endless() : undefined
  }

  return (bytes) => {
    let at = 0
    /** Up to here they are handed on. */
    let given = 0
    const parts: Buffer[] = []
    const give = (end: number, next: number) => {
      if (end > given) parts.push(bytes.subarray(given, end))
      given = next
    }
    while (at < bytes.length) {
      let wrong: Error | undefined
      if (left > 0) {
        const end = Math.min(bytes.length, at + left)
        left -= end - at
        if (isList()) wrong = passList(bytes, at, end)
        if (short) {
          short.take(bytes.subarray(at, end))
          given = end
        }
        at = end
        if (short && left === 0) {
          parts.push(short.message())
          short = undefined
        }
      } else if (known === 0 && bytes.length - at >= headerBytes) {
        wrong = begin(bytes, at)
        if (short) give(at, at + headerBytes)
        at += headerBytes
      } else {
        if (known === 0) held = isList(bytes[at])
        const copied = bytes.copy(header, known, at, at + headerBytes - known)
        if (held) give(at, at + copied)
        at += copied
        known += copied
        if (known < headerBytes) break
        known = 0
        wrong = begin(header, 0)
        if (held && !short) parts.push(Buffer.from(header))
      }
      if (wrong) return wrong
    }
    give(bytes.length, bytes.length)
    return parts
  }
}

const tooLarge = (what: string, bytes: number) =>
  new OversizeError(`${what} is larger than ${bytes / 2 ** 20} MiB`)
