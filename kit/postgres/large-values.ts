import type { BindConfig, Connection } from 'pg'

/** Bytes from which on a value is sent from where it lies. The driver would copy it, which for some megabytes holds up everybody. */
const large = 128 * 1024

/** A connection of the driver that sends large values without a copy of them. */
export function sendLargeValues(connection: Connection): void {
  const usual = connection.bind.bind(connection)
  connection.bind = (config, more) => {
    const isLarge = config?.values?.some((value) => Buffer.isBuffer(value) && value.length >= large)
    if (!config || isLarge !== true) return usual(config, more)
    const parts = bindMessage(config)
    if (!connection.stream.writable) return
    for (const part of parts) connection.stream.write(part)
  }
}

const int16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

/** The message Bind of the protocol (PostgreSQL, "Message Formats"), in parts. Bytes are sent as such, all else as text. */
function bindMessage({
  portal,
  statement,
  binary,
  values = [],
  valueMapper,
}: BindConfig): Buffer[] {
  const mapped = values.map((value, at) => {
    // The driver's own mapping leaves bytes, text and nothing.
    const plain = (valueMapper ? valueMapper(value, at) : value) as typeof value
    return plain ?? null
  })
  const body = [
    Buffer.from(`${portal ?? ''}\0${statement ?? ''}\0`),
    int16(mapped.length),
    ...mapped.map((value) => int16(Buffer.isBuffer(value) ? 1 : 0)),
    int16(mapped.length),
    ...mapped.flatMap((value) => {
      if (value === null) return [int32(-1)]
      const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value)
      return [int32(bytes.length), bytes]
    }),
    // All results are in one format.
    int16(1),
    int16(binary ? 1 : 0),
  ]
  const length = body.reduce((sum, { length: bytes }) => sum + bytes, 4)
  return joined([Buffer.from('B'), int32(length), ...body])
}

/** Small parts side by side become one, large ones stay what they are. */
function joined(parts: readonly Buffer[]): Buffer[] {
  const found: Buffer[] = []
  let small: Buffer[] = []
  for (const part of parts) {
    if (part.length < large) {
      small.push(part)
      continue
    }
    found.push(Buffer.concat(small), part)
    small = []
  }
  return [...found, Buffer.concat(small)]
}
