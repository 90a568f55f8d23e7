import { expect, test } from 'vitest'
import { message, rowOf } from '../testing/hostile-database.ts'
import { OversizeError, ProtocolError, watchMessages } from './message-watch.ts'

const bounds = { messageBytes: 1000, resultBytes: 5000 }
const error = message('E', 'SERROR\0MNo\0\0')
const ready = message('Z', 'I')

/** What the watch says of bytes that come in pieces of so many. */
function watched(bytes: Buffer, piece: number): Error | undefined {
  const watch = watchMessages(bounds)
  for (let at = 0; at < bytes.length; at += piece) {
    const wrong = watch(bytes.subarray(at, at + piece))
    if (wrong) return wrong
  }
  return undefined
}

const rows = (count: number) => Array.from({ length: count }, () => rowOf(Buffer.alloc(100)))

test.each([1, 2, 3, 4, 5, 6, 7, 64, 100_000])('messages in pieces of %i bytes', (piece) => {
  const said = (...messages: Buffer[]) => watched(Buffer.concat(messages), piece)
  expect(said(error, message('N', '\0'), message('N', 'Mx\0\0'), message('1'), ready)).toBe(
    undefined,
  )
  expect(said(rowOf(Buffer.alloc(900)), ready)).toBe(undefined)
  expect(said(message('1'), rowOf(Buffer.alloc(1000)))).toBeInstanceOf(OversizeError)
  // 21 rows are within the bounds, and a query that is done counts no more.
  expect(said(...rows(21), ready, ...rows(21))).toBe(undefined)
  expect(said(...rows(22))).toBeInstanceOf(OversizeError)
  // What is copied is not kept.
  expect(said(...Array.from({ length: 100 }, () => message('d', Buffer.alloc(900))))).toBe(
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
    expect(said(ready, wrong)).toBeInstanceOf(ProtocolError)
  }
})
