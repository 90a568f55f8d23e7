import type { Socket } from 'node:net'
import { dataBeforeAnswer, noProtocol, tooSlow, type Refusal } from './refusals.ts'
import { encryptionRequest, readFirstPacket, type Startup } from './startup.ts'
import { endPointOf } from './tls/channel-binding.ts'
import type { Encryption } from './tls/encryption.ts'
import { encrypt } from './tls/handshake.ts'

/** How a connection has begun. `first` is what the client has sent, its packet and what follows on it. */
export type Opening =
  | { kind: 'startup'; startup: Startup; first: Buffer }
  | { kind: 'cancel'; first: Buffer }
  | { kind: 'question' }
  | { kind: 'refused'; refusal: Refusal }
  /** It has ended, or does not speak the protocol. */
  | { kind: 'nothing' }

/** How a connection is protected. */
export type Protection = {
  isEncrypted: boolean
  /** The name of the host that the client wants to reach, where it has said one. */
  host: string | undefined
  /** To what a login can be tied: a hash of the certificate that the client was shown. */
  endPoint: Buffer | undefined
}
export type Begun = Opening & {
  /** The one to go on with: another one than before where the connection has been encrypted. */
  client: Socket
  protection: Protection
}

type FirstWords = Opening | { kind: 'encrypt'; first: Buffer }

/** What the server says to who asks for encryption: in a way that it does not have, or by TLS. */
const no = Buffer.from('N')
const yes = Buffer.from('S')
/** What a handshake of TLS begins with, and no packet of Postgres does. */
const handshake = 0x16

const open: Protection = { isEncrypted: false, host: undefined, endPoint: undefined }

/**
 * Waits for the first packet of a client, for `timeoutMs` at most, and does what comes before it: encrypts the connection where the
 * client wants that and `encryption` is given. The client is paused afterwards. Never rejects.
 */
export async function readOpening(
  client: Socket,
  timeoutMs: number,
  encryption?: Pick<Encryption, 'context'>,
): Promise<Begun> {
  const until = performance.now() + timeoutMs
  const words = await readFirstWords(client, timeoutMs, encryption ? 'offered' : 'none')
  if (words.kind !== 'encrypt') return { ...words, client, protection: open }
  const encrypted =
    encryption && (await encrypt(client, encryption, words.first, until - performance.now()))
  if (!encrypted) return { kind: 'nothing', client, protection: open }
  const { socket, host, saysProtocol } = encrypted
  const endPoint = await endPointOf(socket)
  const begun = { client: socket, protection: { isEncrypted: true, host, endPoint } }
  // Whoever begins with a handshake could speak anything: another protocol's client must not be led into this one.
  if (words.first.length > 0 && !saysProtocol)
    return { ...begun, kind: 'refused', refusal: noProtocol }
  const inside = await readFirstWords(socket, until - performance.now(), 'there')
  return inside.kind === 'encrypt' ? { ...begun, kind: 'nothing' } : { ...begun, ...inside }
}

/** Reads until it is known what the client wants; `encryption` says whether there is one, or could be. */
function readFirstWords(
  client: Socket,
  ms: number,
  encryption: 'none' | 'offered' | 'there',
): Promise<FirstWords> {
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0)
    /** Each kind of encryption is asked for once at most. */
    const asked = new Set<number>()
    const timer = setTimeout(() => done({ kind: 'refused', refusal: tooSlow }), ms)
    const onEnd = () => done({ kind: 'nothing' })

    function done(words: FirstWords): void {
      clearTimeout(timer)
      client.pause()
      client.off('data', onData).off('end', onEnd).off('close', onEnd)
      resolve(words)
    }
    function onData(chunk: Buffer): void {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
      if (encryption === 'offered' && asked.size === 0 && bytes[0] === handshake)
        return done({ kind: 'encrypt', first: bytes })
      const packet = readFirstPacket(bytes)
      if (packet.kind === 'incomplete') return
      if (packet.kind === 'foreign') return done({ kind: 'nothing' })
      if (packet.kind === 'refused') return done(packet)
      if (packet.kind === 'startup') return done({ ...packet, first: bytes })
      if (packet.kind === 'cancel')
        return done({ kind: 'cancel', first: bytes.subarray(0, packet.length) })
      if (packet.kind === 'question') return done({ kind: 'question' })
      const code = bytes.readUInt32BE(4)
      if (asked.has(code) || encryption === 'there') return done({ kind: 'nothing' })
      asked.add(code)
      // Somebody between could have put it there, to be taken for what the client says when nobody can any more.
      if (bytes.length > packet.length) return done({ kind: 'refused', refusal: dataBeforeAnswer })
      bytes = Buffer.alloc(0)
      if (encryption === 'offered' && code === encryptionRequest) {
        client.write(yes)
        return done({ kind: 'encrypt', first: bytes })
      }
      client.write(no)
    }
    client.on('data', onData).once('end', onEnd).once('close', onEnd)
    client.resume()
  })
}
