import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNames } from './archive.ts'

test.each([
  [
    ['a.txt', 'b/a.txt'],
    ['a.txt', 'b/a.txt'],
  ],
  [
    ['a.txt', 'a.txt', 'A.TXT'],
    ['a.txt', 'a (2).txt', 'A (3).TXT'],
  ],
  [
    ['.env', '.env', 'LICENSE', 'LICENSE'],
    ['.env', '.env (2)', 'LICENSE', 'LICENSE (2)'],
  ],
  [
    ['a', 'a/b', 'a/c'],
    ['a', 'a (2)/b', 'a (2)/c'],
  ],
  [
    ['x/1', 'X/1', 'x/2'],
    ['x/1', 'X (2)/1', 'x/2'],
  ],
  [
    ['../../etc/passwd', '/etc/passwd'],
    ['__/__/etc/passwd', 'etc/passwd'],
  ],
  [
    [String.raw`..\..\evil`, 'C:/evil'],
    ['.._.._evil', 'C_/evil'],
  ],
  [
    ['a//b', 'a/./b', 'a/.. /b'],
    ['a/_/b', 'a/_ (2)/b', 'a/___/b'],
  ],
  [
    ['ü/日本.txt', 'u\u0308/日本.txt'],
    ['ü/日本.txt', 'u\u0308 (2)/日本.txt'],
  ],
  [['line\nbreak'], ['line_break']],
])('%j', (keys, expected) => {
  const names = createNames()
  expect(keys.map((key) => names.file(key))).toEqual(expected)
})

test('whatever keys there are, names stay below and are told apart', () => {
  const part = fc.oneof(
    fc.constantFrom('..', '.', '', 'a', 'A', 'a (2)', '\\', 'c:', ' '),
    fc.string(),
  )
  const key = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  fc.assert(
    fc.property(fc.array(key, { maxLength: 30 }), (keys) => {
      const names = createNames()
      const made = keys.map((one) => names.file(one))
      expect(new Set(made.map((name) => name.normalize('NFC').toLowerCase())).size).toBe(
        keys.length,
      )
      for (const name of made) {
        expect(name).not.toMatch(/\\|:|^\/|\/\/|(?:^|\/)[. ]*(?:\/|$)/)
        // None is a folder of another one.
        for (const other of made) expect(other.startsWith(`${name}/`)).toBe(false)
      }
    }),
  )
})

test('ten thousand of one name are told apart at once', () => {
  const names = createNames()
  const made = Array.from({ length: 10_000 }, () => names.file('a.txt'))
  expect(made.at(-1)).toBe('a (10000).txt')
})
