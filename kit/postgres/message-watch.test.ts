import fc from 'fast-check'
import { expect, test } from 'vitest'
import { message, rowOf } from '../testing/hostile-database.ts'
import { OversizeError, ProtocolError, usualBounds, watchMessages } from './message-watch.ts'

const bounds = { messageBytes: 1000, resultBytes: 5000 }
const error = message('E', 'SERROR\0MNo\0\0')
const ready = message('Z', 'I')

/** What the watch says of bytes that come in pieces of so many. */
function watched(bytes: Buffer, piece: number): Error | undefined {
  const watch = watchMessages(bounds)
  for (let at = 0; at < bytes.length; at += piece) {
    const parts = watch(bytes.subarray(at, at + piece))
    if (parts instanceof Error) return parts
  }
  return undefined
}

const rows = (count: number) => Array.from({ length: count }, () => rowOf(Buffer.alloc(100)))

test.each([1, 2, 3, 4, 5, 6, 7, 64, 100_000])('messages in pieces of %i bytes', (piece) => {
  const outcome = (...messages: Buffer[]) => watched(Buffer.concat(messages), piece)
  expect(outcome(error, message('N', '\0'), message('N', 'Mx\0\0'), message('1'), ready)).toBe(
    undefined,
  )
  expect(outcome(rowOf(Buffer.alloc(900)), ready)).toBe(undefined)
  expect(outcome(message('1'), rowOf(Buffer.alloc(1000)))).toBeInstanceOf(OversizeError)
  // 21 rows are within the bounds, and a query that is done counts no more.
  expect(outcome(...rows(21), ready, ...rows(21))).toBe(undefined)
  expect(outcome(...rows(22))).toBeInstanceOf(OversizeError)
  // What is copied is not kept.
  expect(outcome(...Array.from({ length: 100 }, () => message('d', Buffer.alloc(900))))).toBe(
    undefined,
  )
  for (const wrong of [
    message('q', 'x'),
    message('D', 'x', 3),
    message('D', 'x', -5),
    message('E'),
    message('E', 'SERROR'),
    message('E', 'S\0'),
    message('N', 'SERROR\0'),
  ]) {
    expect(outcome(ready, wrong)).toBeInstanceOf(ProtocolError)
  }
})

/** What is read of bytes that come in pieces, in memory that is used again. */
function handedOn(bytes: Buffer, pieces: readonly number[]): Buffer {
  const watch = watchMessages(usualBounds)
  const out: Buffer[] = []
  for (let at = 0, next = 0; at < bytes.length; next += 1) {
    const size = pieces[next % pieces.length] ?? 1
    const place = Buffer.from(bytes.subarray(at, at + size))
    const parts = watch(place)
    if (parts instanceof Error) throw parts
    out.push(...parts.map((part) => Buffer.from(part)))
    place.fill(0xff)
    at += size
  }
  return Buffer.concat(out)
}
const megabyte = 1024 * 1024
const pieces = fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 20 })

test('messages of every usual size are handed on as they came', () => {
  const one = fc.oneof(
    fc.constantFrom(ready, error, message('N', 'Mx\0\0'), message('1')),
    fc.integer({ min: 0, max: 300_000 }).map((size) => rowOf(Buffer.alloc(size, 7))),
    fc
      .integer({ min: 1, max: megabyte - 9 })
      .map((size) => message('E', `S${'x'.repeat(size)}\0\0`)),
  )
  fc.assert(
    fc.property(fc.array(one, { maxLength: 8 }), pieces, (messages, sizes) => {
      const bytes = Buffer.concat(messages)
      expect(handedOn(bytes, sizes).equals(bytes)).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test('a failure that quotes megabytes is shortened, field by field, wherever it is torn', () => {
  const long = 'é'.repeat(megabyte / 2)
  const list = (text: string) => `SERROR\0C22P02\0M${text}\0D${text}\0nkey\0\0`
  // 256 kB with the letter of the field, and no half of a character.
  const expected = message('E', list(`${'é'.repeat(128 * 1024 - 1)}…`))
  fc.assert(
    fc.property(pieces, (sizes) => {
      const bytes = Buffer.concat([ready, message('E', list(long)), rowOf(Buffer.from('a')), ready])
      const whole = Buffer.concat([ready, expected, rowOf(Buffer.from('a')), ready])
      expect(handedOn(bytes, sizes).equals(whole)).toBe(true)
    }),
    { numRuns: 20 },
  )
  // The first is torn within the last character that is kept.
  for (const sizes of [[1], [1, 2, 1, 3, 100_000]])
    expect(handedOn(message('E', list(long)), sizes).equals(expected)).toBe(true)
})
