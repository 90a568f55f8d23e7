import type { Socket } from 'node:net'
import { dataBeforeAnswer, tooSlow, type Refusal } from './refusals.ts'
import { readFirstPacket, type Startup } from './startup.ts'

/** How a connection has begun. `first` is what the client has sent, its packet and what follows on it. */
export type Opening =
  | { kind: 'startup'; startup: Startup; first: Buffer }
  | { kind: 'cancel'; first: Buffer }
  | { kind: 'question' }
  | { kind: 'refused'; refusal: Refusal }
  /** It has ended, or does not speak the protocol. */
  | { kind: 'nothing' }

/** What the server says to who asks for encryption, which it does not have. */
const no = Buffer.from('N')

/**
 * Waits for the first packet of a client, for `timeoutMs` at most, and answers what comes before it. The client is paused
 * afterwards. Never rejects.
 */
export function readOpening(client: Socket, timeoutMs: number): Promise<Opening> {
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0)
    /** Each kind of encryption is asked for once at most. */
    const asked = new Set<number>()
    const timer = setTimeout(() => done({ kind: 'refused', refusal: tooSlow }), timeoutMs)
    const onEnd = () => done({ kind: 'nothing' })

    function done(opening: Opening): void {
      clearTimeout(timer)
      client.pause()
      client.off('data', onData).off('end', onEnd).off('close', onEnd)
      resolve(opening)
    }
    function onData(chunk: Buffer): void {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
      const packet = readFirstPacket(bytes)
      if (packet.kind === 'incomplete') return
      if (packet.kind === 'foreign') return done({ kind: 'nothing' })
      if (packet.kind === 'refused') return done(packet)
      if (packet.kind === 'startup') return done({ ...packet, first: bytes })
      if (packet.kind === 'cancel')
        return done({ kind: 'cancel', first: bytes.subarray(0, packet.length) })
      if (packet.kind === 'question') return done({ kind: 'question' })
      const code = bytes.readUInt32BE(4)
      if (asked.has(code)) return done({ kind: 'nothing' })
      asked.add(code)
      if (bytes.length > packet.length) return done({ kind: 'refused', refusal: dataBeforeAnswer })
      bytes = Buffer.alloc(0)
      client.write(no)
    }
    client.on('data', onData).once('end', onEnd).once('close', onEnd)
  })
}
