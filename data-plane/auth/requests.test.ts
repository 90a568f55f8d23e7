import { expect, test } from 'vitest'
import { parseDuration } from './sessions/durations.ts'
import { normalizeEmail, normalizePhone } from './mail/emails.ts'
import { parseJson as parseBytes } from './http.ts'
import { challengeOf } from './sign-in/challenge.ts'
import { network } from '#kit/network/network'

const parseJson = (text: string) => parseBytes(Buffer.from(text))

test.each([
  ['24h', 86_400_000],
  ['1h30m', 5_400_000],
  ['1.5s', 1500],
  ['300ms', 300],
  ['0s', 0],
  ['none', undefined],
  ['999999999999h', 200 * 365 * 24 * 3_600_000],
])('%s is %s ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})
test.each(['', '1', 'h', '-1h', '1 h', '1d', 'NaNh', '1h;', 'none '])(
  '%s is no duration',
  (text) => {
    expect(() => parseDuration(text)).toThrow('duration')
  },
)

test.each([
  ['A@Example.COM ', 'a@example.com'],
  ["o'neil+x@sub.example.co", "o'neil+x@sub.example.co"],
  ['dev@localhost', 'dev@localhost'],
  ['jürgen@exämple.de', 'jürgen@exämple.de'],
])('%s is the address %s', (text, email) => {
  expect(normalizeEmail(text)).toBe(email)
})
test.each([
  '',
  '@',
  'a',
  'a@',
  '@b.c',
  'a@b@c',
  'a b@c.d',
  'a@b..c',
  'a@-b.c',
  'a@b.c.',
  'a@b.c\nx',
  'a,b@c.d',
  '<a@b.c>',
])('%j is no address', (text) => {
  expect(() => normalizeEmail(text)).toThrow('invalid format')
})

test('phone numbers become digits', () => {
  expect(normalizePhone('+49 (151) 234-5678')).toBe('491512345678')
  for (const text of ['', 'abc', '0123456', '+1', '1'.repeat(16)]) {
    expect(() => normalizePhone(text)).toThrow('phone')
  }
})

test('JSON that the database could not hold is refused', () => {
  expect(parseJson('')).toBeUndefined()
  expect(parseJson('{"a":"\\ud83d\\ude00"}')).toEqual({ a: '😀' })
  expect(parseJson('"\\\\u0000"')).toBe('\\u0000')
  for (const text of ['"\\u0000"', '{"\\u0000":1}', '["\\ud800"]', '{"a":[{"b":"\\udc00"}]}']) {
    expect(() => parseJson(text)).toThrow('NUL')
  }
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  expect(parseJson(nested(64))).toBeInstanceOf(Array)
  expect(() => parseJson(nested(66))).toThrow('nested')
  expect(() => parseJson(nested(400_000))).toThrow('nested')
  expect(() => parseJson('{')).toThrow('JSON')
})

test('a challenge has two parts of the right form', () => {
  const value = 'a'.repeat(43)
  expect(challengeOf(undefined, undefined)).toBeUndefined()
  expect(challengeOf(value, 'S256')).toEqual({ value, method: 's256' })
  for (const [challenge, method] of [
    [value, undefined],
    [undefined, 's256'],
    [value, 'md5'],
    ['a'.repeat(42), 's256'],
    ['a'.repeat(129), 'plain'],
    [`${value}=`, 's256'],
  ] as const) {
    expect(() => challengeOf(challenge, method)).toThrow()
  }
})

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['', ''],
])('%s counts as %s', (ip, counted) => {
  expect(network(ip)).toBe(counted)
})
