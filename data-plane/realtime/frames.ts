import { documentBounds, parseJsonNow, shapeOf } from '#kit/http/json-body'

/** Version 1 frames are JSON objects, those of version 2 JSON arrays and binary ones. */
export type Version = 1 | 2

/** What a client sends by version 2 in one binary frame, and gets so. */
export type UserBroadcast = { event: string; isJson: boolean; payload: Buffer; meta: string }

export type ClientMessage = {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: unknown
  /** The payload came in a binary frame and is `user` instead. */
  user?: UserBroadcast
}

export type ServerMessage = {
  joinRef?: string | null
  ref?: string | null
  topic: string
  event: string
  payload: unknown
}

const kinds = { userPush: 3, userBroadcast: 4 }

/** Frames above this many bytes are looked through in slices before they are read. */
export const longFrame = 256 * 1024

/** A frame of any length, as `decode` reads it; everything else goes on meanwhile. Its memory may not be used again. */
export async function decodeLong(
  data: Buffer,
  isBinary: boolean,
  version: Version,
): Promise<ClientMessage | undefined> {
  const json = isBinary ? jsonIn(data) : data
  try {
    if (json) await shapeOf(json, documentBounds)
  } catch {
    return undefined
  }
  return decode(data, isBinary, version, (bytes) => JSON.parse(bytes.toString()) as unknown)
}

/** A frame as a client sends it; undefined for what is none. */
export function decode(
  data: Buffer,
  isBinary: boolean,
  version: Version,
  parse: (json: Buffer) => unknown = parseJsonNow,
): ClientMessage | undefined {
  if (isBinary) return version === 2 ? decodeBinary(data, parse) : undefined
  let value: unknown
  try {
    value = parse(data)
  } catch {
    return undefined
  }
  const fields = version === 2 ? fieldsOfArray(value) : fieldsOfObject(value)
  if (!fields) return undefined
  const [joinRef, ref, topic, event, payload] = fields
  if (typeof topic !== 'string' || typeof event !== 'string') return undefined
  if (!isRef(joinRef) || !isRef(ref)) return undefined
  return { joinRef: textOf(joinRef), ref: textOf(ref), topic, event, payload }
}

const fieldsOfArray = (value: unknown): unknown[] | undefined =>
  Array.isArray(value) && value.length === 5 ? value : undefined

function fieldsOfObject(value: unknown): unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { join_ref, ref, topic, event, payload } = value as Record<string, unknown>
  return [join_ref, ref, topic, event, payload]
}

const isRef = (ref: unknown): ref is string | number | null | undefined =>
  ref === null || ref === undefined || typeof ref === 'string' || typeof ref === 'number'
const textOf = (ref: string | number | null | undefined) => (ref == null ? null : String(ref))

/** Kind, five lengths, encoding, then the five texts, then the payload. */
const headBytes = 7

/** The payload of a binary frame that says it is JSON. */
function jsonIn(data: Buffer): Buffer | undefined {
  if (data.length < headBytes || data[6] !== 1) return undefined
  const texts = data.subarray(1, 6).reduce((sum, length) => sum + length, 0)
  return data.subarray(headBytes + texts)
}

function decodeBinary(data: Buffer, parse: (json: Buffer) => unknown): ClientMessage | undefined {
  if (data.length < headBytes || data[0] !== kinds.userPush) return undefined
  let at = headBytes
  const texts = [1, 2, 3, 4, 5].map((place) => {
    const length = data[place] ?? 0
    return data.toString('utf8', at, (at += length))
  })
  const encoding = data[6]
  if (at > data.length || (encoding !== 0 && encoding !== 1)) return undefined
  const [joinRef = '', ref = '', topic = '', event = '', meta = ''] = texts
  // The memory of the frame is reused for the next one.
  const payload = Buffer.from(data.subarray(at))
  const isJson = encoding === 1
  const isText = (bytes: Buffer) => isParsed(bytes, parse)
  if ((isJson && !isText(payload)) || (meta !== '' && !isText(Buffer.from(meta)))) return undefined
  const user = { event, isJson, payload, meta }
  return {
    joinRef: joinRef || null,
    ref: ref || null,
    topic,
    event: 'broadcast',
    payload: undefined,
    user,
  }
}

function isParsed(bytes: Buffer, parse: (json: Buffer) => unknown): boolean {
  try {
    parse(bytes)
    return true
  } catch {
    return false
  }
}

/** A message as text in the form of the version. */
export function encode(version: Version, message: ServerMessage): string {
  const { joinRef = null, ref = null, topic, event, payload } = message
  return version === 2
    ? JSON.stringify([joinRef, ref, topic, event, payload])
    : JSON.stringify({ join_ref: joinRef, ref, topic, event, payload })
}

/** A broadcast as binary frame of version 2; undefined when a text is too long for it. */
export function encodeUser(topic: string, { event, isJson, payload, meta }: UserBroadcast) {
  const texts = [topic, event, meta].map((text) => Buffer.from(text))
  if (texts.some(({ length }) => length > 255)) return undefined
  const head = Buffer.from([
    kinds.userBroadcast,
    ...texts.map(({ length }) => length),
    Number(isJson),
  ])
  return Buffer.concat([head, ...texts, payload])
}

/** A whole WebSocket frame of a server (RFC 6455, 5.2): unmasked, in one piece. */
export function websocketFrame(data: Buffer | string): Buffer {
  const body = typeof data === 'string' ? Buffer.from(data) : data
  const first = typeof data === 'string' ? 0x81 : 0x82
  const { length } = body
  const head = length < 126 ? Buffer.alloc(2) : length < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10)
  head[0] = first
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, body])
}
