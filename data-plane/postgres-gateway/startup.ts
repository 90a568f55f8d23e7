import { portQuestion } from '#kit/postgres/port-question'
import { invalidPacket, unsupportedProtocol, type Refusal } from './refusals.ts'

/** What a client says of itself before it has proven anything. Nothing else of its packet is kept. */
export type Startup = {
  user: string
  /** The server takes the name of the user where there is none. */
  database: string
  applicationName: string
}

/** What a connection begins with; `length` is in bytes. */
export type FirstPacket =
  /** It is not all there yet. */
  | { kind: 'incomplete' }
  /** It asks whether the connection can be encrypted, by TLS or GSSAPI. */
  | { kind: 'encryption'; length: number }
  /** It asks that the query of another connection be cancelled. */
  | { kind: 'cancel'; length: number }
  /** A program of ours asks whose port this is. */
  | { kind: 'question'; length: number }
  | { kind: 'startup'; length: number; startup: Startup }
  /** Nothing that speaks the protocol: it gets no answer, as the server gives none. */
  | { kind: 'foreign' }
  | { kind: 'refused'; refusal: Refusal }

/** Bytes of a packet at most, its length aside. */
export const longestStartup = 10_000
const cancelCode = 80_877_102
/** Asks for TLS. */
export const encryptionRequest = 80_877_103
const encryptionCodes = [encryptionRequest, 80_877_104]
const questionCode = portQuestion.readUInt32BE(4)

/**
 * Reads what a connection begins with. It is stricter than the server: whatever two readers could understand in two ways is
 * refused, because access is decided by the name that is read here.
 */
export function readFirstPacket(bytes: Buffer): FirstPacket {
  if (bytes.length < 4) return { kind: 'incomplete' }
  const length = bytes.readUInt32BE(0)
  if (length < 8 || length > longestStartup + 4) return { kind: 'foreign' }
  if (bytes.length < length) return { kind: 'incomplete' }
  const code = bytes.readUInt32BE(4)
  if (code === cancelCode) return { kind: 'cancel', length }
  if (encryptionCodes.includes(code)) {
    return length === 8 ? { kind: 'encryption', length } : { kind: 'foreign' }
  }
  if (code === questionCode) return { kind: 'question', length }
  if (code >>> 16 !== 3) return { kind: 'refused', refusal: unsupportedProtocol(code) }
  const parameters = readParameters(bytes.subarray(8, length))
  if (!parameters) return { kind: 'refused', refusal: invalidPacket }
  const user = parameters.get('user') ?? ''
  const startup = {
    user,
    database: parameters.get('database') || user,
    applicationName: parameters.get('application_name') ?? '',
  }
  return { kind: 'startup', length, startup }
}

/** Names and values, each with a zero at its end, and one more at the end of all. Undefined: something else, or a name twice. */
export function readParameters(bytes: Buffer): Map<string, string> | undefined {
  const found = new Map<string, string>()
  let at = 0
  function next(): string | undefined {
    const end = bytes.indexOf(0, at)
    if (end < 0) return undefined
    const text = bytes.toString('utf8', at, end)
    at = end + 1
    return text
  }
  for (;;) {
    const name = next()
    if (name === undefined) return undefined
    if (name === '') return at === bytes.length ? found : undefined
    const value = next()
    if (value === undefined || found.has(name)) return undefined
    found.set(name, value)
  }
}
