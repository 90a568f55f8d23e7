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

/**
 * Follows a server's messages by their headers as bytes come in, before anything is made of them. Returns the function
 * that takes the bytes and answers why no more of them should be read.
 */
export function watchMessages(bounds: Bounds): (bytes: Buffer) => Error | undefined {
  const header = Buffer.alloc(headerBytes)
  let known = 0
  let kind = 0
  let left = 0
  let rows = 0
  /** The last two bytes of what is a list of texts. */
  let tail = 0

  function begin(from: Buffer, at: number): Error | undefined {
    kind = from[at] ?? 0
    const length = from.readInt32BE(at + 1)
    if (!kinds.has(kind) || length < 4) return new ProtocolError('The database sent no message')
    left = length - 4
    tail = 0
    if (isList() && left === 0) return endless()
    if (left > bounds.messageBytes) return tooLarge('A value', bounds.messageBytes)
    if (kind === ready) rows = 0
    if (kind === row) rows += left + rowBytes
    return rows > bounds.resultBytes ? tooLarge('The result', bounds.resultBytes) : undefined
  }

  const isList = () => kind === failure || kind === notice

  /** The driver reads such a list until its end, and would do so for ever. */
  const endless = () => new ProtocolError('The database sent a message without an end')

  function passList(bytes: Buffer, at: number, end: number): Error | undefined {
    for (let i = Math.max(at, end - 2); i < end; i += 1)
      tail = ((tail << 8) | (bytes[i] ?? 0)) & 0xffff
    return left === 0 && tail !== 0 ? endless() : undefined
  }

  return (bytes) => {
    let at = 0
    while (at < bytes.length) {
      let wrong: Error | undefined
      if (left > 0) {
        const end = Math.min(bytes.length, at + left)
        left -= end - at
        if (isList()) wrong = passList(bytes, at, end)
        at = end
      } else if (known === 0 && bytes.length - at >= headerBytes) {
        wrong = begin(bytes, at)
        at += headerBytes
      } else {
        const copied = bytes.copy(header, known, at, at + headerBytes - known)
        at += copied
        known += copied
        if (known < headerBytes) return undefined
        known = 0
        wrong = begin(header, 0)
      }
      if (wrong) return wrong
    }
    return undefined
  }
}

const tooLarge = (what: string, bytes: number) =>
  new OversizeError(`${what} is larger than ${bytes / 2 ** 20} MiB`)
