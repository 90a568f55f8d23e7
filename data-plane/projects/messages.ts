/**
 * Messages of the Postgres protocol (documentation §53.7), gathered in one buffer so that a whole transaction is one
 * write to the socket: each further write or vector element costs a system call as much as the query itself.
 */
export class Messages {
  private buffer = Buffer.allocUnsafe(2048)
  private end = 0

  parse(name: string, text: string): this {
    const start = this.begin('P')
    return this.text(name).text(text).int16(0).finish(start)
  }

  /** All values and all results in text form. */
  bind(statement: string, values: readonly (string | Buffer | null)[]): this {
    // The count is sent in 16 bits; more would silently wrap around.
    if (values.length > 65_535) throw new RangeError('A statement has more than 65,535 values')
    const start = this.begin('B')
    this.text('').text(statement).int16(0).int16(values.length)
    for (const value of values) {
      if (value === null) this.int32(-1)
      else if (typeof value !== 'string') this.copied(value)
      else this.counted(value)
    }
    return this.int16(0).finish(start)
  }

  execute(): this {
    const start = this.begin('E')
    return this.text('').int32(0).finish(start)
  }

  closeStatement(name: string): this {
    const start = this.begin('C')
    return this.text(`S${name}`).finish(start)
  }

  flush(): this {
    return this.finish(this.begin('H'))
  }

  sync(): this {
    return this.finish(this.begin('S'))
  }

  bytes(): Buffer {
    return this.buffer.subarray(0, this.end)
  }

  /** Starts a message of this type; its length is written by `finish`. */
  private begin(type: string): number {
    this.reserve(5)
    this.buffer[this.end] = type.charCodeAt(0)
    this.end += 5
    return this.end - 4
  }

  private finish(start: number): this {
    this.buffer.writeInt32BE(this.end - start, start)
    return this
  }

  /** @throws TypeError for text with a NUL, which would end it early. */
  private text(value: string): this {
    if (value.includes('\0')) throw new TypeError('SQL cannot contain a NUL character')
    this.reserve(value.length * 3 + 1)
    this.end += this.buffer.write(value, this.end)
    this.buffer[this.end++] = 0
    return this
  }

  private counted(value: string): void {
    // No UTF-16 unit takes more than three bytes in UTF-8; long values are measured instead of guessed.
    this.reserve(4 + (value.length < 1000 ? value.length * 3 : Buffer.byteLength(value)))
    const length = this.buffer.write(value, this.end + 4)
    this.buffer.writeInt32BE(length, this.end)
    this.end += 4 + length
  }

  private copied(value: Buffer): void {
    this.reserve(4 + value.length)
    this.buffer.writeInt32BE(value.length, this.end)
    value.copy(this.buffer, this.end + 4)
    this.end += 4 + value.length
  }

  private int16(value: number): this {
    this.reserve(2)
    this.end = this.buffer.writeUInt16BE(value, this.end)
    return this
  }

  private int32(value: number): this {
    this.reserve(4)
    this.end = this.buffer.writeInt32BE(value, this.end)
    return this
  }

  private reserve(size: number): void {
    if (this.end + size <= this.buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.end + size))
    this.buffer.copy(larger, 0, 0, this.end)
    this.buffer = larger
  }
}
