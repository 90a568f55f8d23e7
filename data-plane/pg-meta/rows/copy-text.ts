import { Transform } from 'node:stream'

type Frame = { before: string; between: string; after: string }

const newline = 0x0a
const backslash = 0x5c
/** What COPY's text format writes after a backslash, and what it stands for; every other sign stands for itself. */
const escapes: Record<string, number> = { b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }

/** Lines of COPY's text format, of one column each, as the texts they stand for, with something around and between them. */
export function copiedLines({ before, between, after }: Frame): Transform {
  let lines = 0
  let atStart = true
  let escaped = false
  const start = () => {
    atStart = false
    return lines++ === 0 ? before : between
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const out = Buffer.alloc(chunk.length)
      const parts: Buffer[] = []
      let length = 0
      const flush = () => {
        if (length > 0) parts.push(Buffer.from(out.subarray(0, length)))
        length = 0
      }
      for (const byte of chunk) {
        if (atStart) {
          flush()
          parts.push(Buffer.from(start()))
        }
        if (escaped) {
          out[length++] = escapes[String.fromCharCode(byte)] ?? byte
          escaped = false
        } else if (byte === newline) atStart = true
        else if (byte === backslash) escaped = true
        else out[length++] = byte
      }
      flush()
      done(null, Buffer.concat(parts))
    },
    flush(done) {
      done(null, lines === 0 ? before + after.trimStart() : after)
    },
  })
}
