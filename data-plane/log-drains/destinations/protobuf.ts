/** What OTLP needs of the wire format of protocol buffers: fields of a message by their number, one after the other. */

/** A number of seven bits a byte, the lowest first. */
function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let left = BigInt.asUintN(64, value)
  while (left > 0x7fn) {
    bytes.push(Number(left & 0x7fn) | 0x80)
    left >>= 7n
  }
  bytes.push(Number(left))
  return Buffer.from(bytes)
}
const tag = (field: number, type: number) => varint(BigInt((field << 3) | type))

/** Bytes, a text, or a message inside a message. */
export function bytesField(field: number, value: Uint8Array | string): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  return Buffer.concat([tag(field, 2), varint(BigInt(bytes.length)), bytes])
}
/** Whole numbers, enumerations and booleans. */
export const varintField = (field: number, value: number | bigint): Buffer =>
  Buffer.concat([tag(field, 0), varint(BigInt(value))])

export function fixed64Field(field: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return Buffer.concat([tag(field, 1), bytes])
}
export function doubleField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return Buffer.concat([tag(field, 1), bytes])
}
