import type { Readable } from 'node:stream'

/**
 * The bytes of a body, put in their place as they come: to join them all at the end would hold up everybody for as long as some
 * megabytes take to copy. The place grows with what has come, whatever length was announced; most bodies come at once, and fit.
 *
 * @throws an error with statusCode 400 for what ends too early
 */
export async function collectBody(payload: Readable): Promise<Buffer> {
  let place: Buffer = Buffer.alloc(0)
  let length = 0
  try {
    for await (const part of payload as AsyncIterable<Buffer>) {
      const next = length + part.length
      if (next > place.length) place = grown(place, length, Math.max(next, 2 * place.length))
      length += part.copy(place, length)
    }
  } catch (error) {
    throw error instanceof Error && !('statusCode' in error)
      ? Object.assign(error, { statusCode: 400 })
      : error
  }
  return place.subarray(0, length)
}

function grown(place: Buffer, length: number, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size)
  place.copy(larger, 0, 0, length)
  return larger
}
