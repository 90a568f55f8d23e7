import type { Readable } from 'node:stream'

/**
 * The bytes of a body, put in their place as they come: to join them all at the end would hold up everybody for as long as some
 * megabytes take to copy. The place grows with what has come, whatever length was announced; most bodies come at once, and fit.
 *
 * @throws an error with statusCode 400 for what ends too early
 */
export function collectBody(payload: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let place: Buffer = Buffer.alloc(0)
    let length = 0
    const fail = (error: Error) =>
      reject('statusCode' in error ? error : Object.assign(error, { statusCode: 400 }))
    // Listened to and not iterated over: for the small body of most writes, an iterator costs more than its bytes.
    payload.on('data', (part: Buffer) => {
      const next = length + part.length
      if (next > place.length) place = grown(place, length, Math.max(next, 2 * place.length))
      length += part.copy(place, length)
    })
    payload.once('end', () => resolve(place.subarray(0, length)))
    payload.once('error', fail)
    const endEarly = () => {
      if (!payload.readableEnded) fail(new Error('The body ended too early'))
    }
    payload.once('close', endEarly)
    if (payload.destroyed) endEarly()
  })
}

function grown(place: Buffer, length: number, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size)
  place.copy(larger, 0, 0, length)
  return larger
}
