import { expect, test } from 'vitest'
import { createAnswerReader } from './worker-answer.ts'

type Read = { status?: number; headers?: string[]; kept?: number; body: string; end?: boolean }

/** What is read of `text` when it comes in pieces of `size` bytes, and then the connection closes. */
function read(text: string, size: number, method = 'GET'): Read {
  const seen: Read = { body: '' }
  const reader = createAnswerReader(method, {
    head({ status, headers, keptMs }) {
      seen.status = status
      seen.headers = headers
      if (keptMs !== undefined) seen.kept = keptMs
    },
    body: (bytes) => (seen.body += bytes.toString('latin1')),
    end: (isReusable) => (seen.end = isReusable),
  })
  const bytes = Buffer.from(text, 'latin1')
  // The room for what was read is used again, as connections do.
  const room = Buffer.alloc(size)
  for (let at = 0; at < bytes.length; at += size) {
    const count = bytes.copy(room, 0, at, at + size)
    if (!reader.push(room.subarray(0, count))) return seen
  }
  reader.close()
  return seen
}
const head = (...lines: string[]) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n')

test.each<[string, string, string, Read]>([
  ['a length', 'GET', `${head('A: b', 'Content-Length: 3')}abc`, { body: 'abc', end: true }],
  ['nothing', 'GET', head('content-length: 0'), { body: '', end: true }],
  ['no body for HEAD', 'HEAD', head('content-length: 3'), { body: '', end: true }],
  ['until it closes', 'GET', `${head()}abc`, { body: 'abc', end: false }],
  [
    'parts',
    'GET',
    `${head('transfer-encoding: chunked')}3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nT: x\r\n\r\n`,
    { body: 'abc0123456789', end: true },
  ],
  [
    'a length and parts',
    'GET',
    `${head('content-length: 1', 'transfer-encoding: chunked')}3\r\nabc\r\n0\r\n\r\n`,
    { body: 'abc', end: false },
  ],
  [
    'an interim answer',
    'GET',
    `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${head('content-length: 1')}a`,
    { status: 200, body: 'a', end: true },
  ],
  ['204', 'GET', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204, body: '', end: true }],
  [
    'the end of the connection',
    'GET',
    `${head('connection: Close', 'content-length: 1')}a`,
    { body: 'a', end: false },
  ],
  [
    'how long it is kept',
    'GET',
    `${head('keep-alive: timeout=5', 'content-length: 1')}a`,
    { body: 'a', end: true, kept: 5000 },
  ],
])('%s is read, however it is cut', (_, method, text, expected) => {
  for (let size = 1; size <= text.length; size++) {
    expect(read(text, size, method), `in pieces of ${size}`).toMatchObject(expected)
  }
})

test('headers come with small names, in their order, each as often as it was sent', () => {
  const { headers } = read(`${head('Set-Cookie: a=1', 'set-cookie:b=2 ', 'X:')}`, 7)
  expect(headers).toEqual(['set-cookie', 'a=1', 'set-cookie', 'b=2', 'x', ''])
})

test('what comes behind an answer makes its connection useless', () => {
  const text = `${head('content-length: 1')}a${head('content-length: 1')}b`
  expect(read(text, text.length)).toMatchObject({ body: 'a', end: false })
})

test.each([
  ['part of a length', `${head('content-length: 9')}abc`],
  ['part of the parts', `${head('transfer-encoding: chunked')}9\r\nabc`],
  ['part of a head', 'HTTP/1.1 200 OK\r\na: b'],
])('%s is no whole answer', (_, text) => {
  expect(read(text, 5).end).toBeUndefined()
})

test.each([
  ['no HTTP', 'SSH-2.0-x\r\n\r\n'],
  ['a change of protocol that nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ['a header without a name', head(': x')],
  ['a name with a space', head('a b: x')],
  ['a continued line', head('a: x', ' y')],
  ['two lengths', head('content-length: 1', 'content-length: 2')],
  ['a length that is none', head('content-length: +1')],
  ['an encoding that nobody knows', head('transfer-encoding: gzip, chunked')],
  ['a size that is none', `${head('transfer-encoding: chunked')}-1\r\n`],
  ['a part that is longer than it says', `${head('transfer-encoding: chunked')}1\r\nabc\r\n`],
  ['a head without an end', `${'HTTP/1.1 200 OK\r\n'}${'a: b\r\n'.repeat(20_000)}`],
])('%s is refused', (_, text) => {
  expect(() => read(text, 11)).toThrow()
})
