import fc from 'fast-check'
import { expect, test } from 'vitest'
import { landing, returnToOf, safeReturnTo } from './return-to.ts'

const origin = 'https://plinth.test'
const word = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/)
const path = fc.array(word, { maxLength: 5 }).map((words) => `/${words.join('/')}`)
const query = fc
  .array(fc.tuple(word, word), { maxLength: 3 })
  .map((pairs) => pairs.map((p) => p.join('=')).join('&'))

test('every simple path of ours is honoured, with and without a query', () => {
  fc.assert(
    fc.property(path, fc.option(query), (p, search) => {
      const returnTo = search === null ? p : `${p}?${search}`
      expect(safeReturnTo(returnTo)).toBe(returnTo)
    }),
  )
})

test('whatever is honoured stays on this origin and starts with one slash', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^[/\\:.@?#&=%A-Za-z0-9_\s-]{0,24}$/),
  )
  fc.assert(
    fc.property(anything, (returnTo) => {
      const target = safeReturnTo(returnTo)
      expect(new URL(target, origin).origin).toBe(origin)
      expect(target).toMatch(/^\/(?!\/)/)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  '',
  'organizations',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '/a:b',
  '/a.b',
  '/a%2f%2fevil',
  '/a#b',
  '/a?b#c',
  '/a?b=c d',
  '/a?b=https://evil.example',
  '/a?b?c',
  '/a\n',
  '/a\n//evil.example',
  '/ä',
])('%j is not honoured', (returnTo) => {
  expect(safeReturnTo(returnTo)).toBe(landing)
})

test.each([undefined, null, 1, ['/org/a'], { toString: () => '/org/a' }])(
  '%j is no path',
  (value) => {
    expect(safeReturnTo(value)).toBe(landing)
  },
)

test('a page remembers itself only when the sign-in page will honour it', () => {
  expect(returnToOf('/project/abc/settings/general')).toBe('/project/abc/settings/general')
  expect(returnToOf('/org/a?error=x')).toBe('/org/a?error=x')
  expect(returnToOf('/')).toBeUndefined()
  expect(returnToOf('/editor?filter=a%20b')).toBeUndefined()
})

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))

test('of all signs, letters, digits, slash, hyphen and underscore make a path (requirements §5)', () => {
  const honoured = ascii.filter((sign) => safeReturnTo(`/a${sign}b`) !== landing)
  // One question mark begins the query.
  expect(honoured.join('')).toBe(
    '-/0123456789?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz',
  )
})

test('and letters, digits, hyphen, underscore, equals and ampersand a query (requirements §5)', () => {
  const honoured = ascii.filter((sign) => safeReturnTo(`/a?b${sign}c`) !== landing)
  expect(honoured.join('')).toBe(
    '&-0123456789=ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz',
  )
})
