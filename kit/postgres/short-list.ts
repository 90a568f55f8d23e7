/**
 * Bytes of a field of a failure or notice that are kept. Postgres quotes what it was sent, however long, and the driver
 * looks at each byte of it while everybody waits; nobody reads more than this.
 */
const longestField = 256 * 1024
const ellipsis = Buffer.from('…')
const headerBytes = 5

/** Makes a failure or notice (documentation, "Message Formats") with short fields of a long one, as its bytes come in. */
export class ShortList {
  private readonly kind: number
  private readonly parts: Buffer[] = []
  private bytes = 0
  /** What is kept of the field so far: only at its end is it known whether its last character is whole. */
  private field: Buffer[] = []
  /** Bytes of the field so far, with its type; 0: a field begins, or the list ends. */
  private length = 0

  constructor(kind: number) {
    this.kind = kind
  }

  /** The next bytes behind the header. */
  take(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length) {
      const end = bytes.indexOf(0, at)
      const text = bytes.subarray(at, end < 0 ? bytes.length : end)
      this.add(text)
      if (end < 0) return
      this.end()
      at = end + 1
    }
  }

  /** The whole message, once all has come. */
  message(): Buffer {
    const header = Buffer.alloc(headerBytes)
    header[0] = this.kind
    header.writeInt32BE(this.bytes + 4, 1)
    return Buffer.concat([header, ...this.parts])
  }

  private add(text: Buffer): void {
    const room = longestField - this.length
    // What comes in is used again by whoever reads it.
    if (room > 0) this.field.push(Buffer.from(text.subarray(0, room)))
    this.length += text.length
  }

  private end(): void {
    const field = Buffer.concat(this.field)
    this.keep(this.length > longestField ? Buffer.concat([whole(field), ellipsis]) : field)
    this.keep(Buffer.alloc(1))
    this.field = []
    this.length = 0
  }

  private keep(part: Buffer): void {
    this.parts.push(part)
    this.bytes += part.length
  }
}

/** Without the beginning of a character of UTF-8 at its end. */
function whole(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1
  return (bytes[end - 1] ?? 0) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes
}
