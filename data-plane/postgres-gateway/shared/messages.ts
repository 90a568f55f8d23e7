/** A message of the protocol: a letter, the length of the rest, and the rest. */
export function message(kind: string, body: Buffer): Buffer {
  const whole = Buffer.allocUnsafe(5 + body.length)
  whole.write(kind, 0, 'latin1')
  whole.writeUInt32BE(4 + body.length, 1)
  body.copy(whole, 5)
  return whole
}

const word = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeInt32BE(value | 0, 0)
  return bytes
}

/** How somebody is asked who they are, and told that they are let in; `code` is the protocol's. */
export const authentication = (code: number, data: Buffer | string = ''): Buffer =>
  message('R', Buffer.concat([word(code), Buffer.from(data)]))

export const parameterStatus = (name: string, value: string): Buffer =>
  message('S', Buffer.from(`${name}\0${value}\0`))

/** Names a connection to whoever wants to cancel what runs on it. */
export type CancelKey = { processId: number; secret: number }
export const keyData = ({ processId, secret }: CancelKey): Buffer =>
  message('K', Buffer.concat([word(processId), word(secret)]))

export const readyForQuery: Buffer = message('Z', Buffer.from('I'))

/** Says that this is version 3.0 and knows none of the options that were asked for. */
export const negotiateVersion = (options: readonly string[]): Buffer =>
  message(
    'v',
    Buffer.concat([
      word(0x0003_0000),
      word(options.length),
      Buffer.from(options.map((name) => `${name}\0`).join('')),
    ]),
  )

export const query = (sql: string): Buffer => message('Q', Buffer.from(`${sql}\0`))

/** A request to cancel what runs on a connection. */
export function cancelRequest({ processId, secret }: CancelKey): Buffer {
  return Buffer.concat([word(16), word(80_877_102), word(processId), word(secret)])
}
export const readCancelRequest = (packet: Buffer): CancelKey => ({
  processId: packet.readInt32BE(8),
  secret: packet.readInt32BE(12),
})

/** The packet that a session begins with, of version 3.0. */
export function startup(parameters: Iterable<readonly [string, string]>): Buffer {
  const texts = [...parameters].flatMap(([name, value]) => [`${name}\0`, `${value}\0`])
  const body = Buffer.from(`${texts.join('')}\0`)
  return Buffer.concat([word(body.length + 8), word(0x0003_0000), body])
}

/** The fields of an error or a notice, by their letters. */
export const fieldsOf = (body: Buffer): ReadonlyMap<string, string> =>
  new Map(
    body
      .toString('utf8')
      .split('\0')
      .map((field) => [field.slice(0, 1), field.slice(1)]),
  )
