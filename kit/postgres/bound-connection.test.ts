import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { guarded } from './bound-connection.ts'

const chunk = Buffer.alloc(64 * 1024)
const chunks = 40

/** As a socket on which much has come: all of it would be read in one turn. */
function full() {
  const stream = new PassThrough({ highWaterMark: chunks * chunk.length })
  for (let i = 0; i < chunks; i += 1) stream.write(chunk)
  return stream
}

test('much that comes on one connection is read in turns with others', async () => {
  const stream = full()
  let [read, max, bytes] = [0, 0, 0]
  stream.on(
    'data',
    guarded(stream, (part) => {
      read += 1
      bytes += part.length
    }),
  )
  for (let turns = 0; bytes < chunks * chunk.length; turns += 1) {
    expect(turns).toBeLessThan(10 * chunks)
    read = 0
    await turn()
    max = Math.max(max, read)
  }
  expect(max).toBeLessThanOrEqual(2)
})

test('who has paused it goes on when they like', async () => {
  const stream = full()
  let read = 0
  const pause = () => {
    read += 1
    stream.pause()
  }
  stream.on('data', guarded(stream, pause))
  for (let turns = 0; turns < 10; turns += 1) await turn()
  expect(read).toBe(1)
  stream.resume()
  for (let turns = 0; turns < 10; turns += 1) await turn()
  expect(read).toBe(2)
})

test('a result that is kept is read slowly once it is a large part of what may come', async () => {
  const waits = vi.spyOn(globalThis, 'setTimeout')
  // On a busy machine the 20 ms after which a result counts as another pass between two chunks.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1000)
  const waitsOf = async (resultBytes: number) => {
    const stream = full()
    let bytes = 0
    const watch = (part: Buffer) => [part]
    const take = (part: Buffer) => (bytes += part.length)
    stream.on('data', guarded(stream, take, watch, resultBytes))
    waits.mockClear()
    while (bytes < chunks * chunk.length) await turn()
    return waits.mock.calls.length
  }
  // All but the first sixteenth of it.
  expect(await waitsOf(chunk.length * 16 * 8)).toBe(chunks - 8)
  expect(await waitsOf(Number.POSITIVE_INFINITY)).toBe(0)
  waits.mockRestore()
  clock.mockRestore()
})
