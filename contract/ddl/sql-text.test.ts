import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quoteIdent, quoteLiteral } from './sql-text.ts'

const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'))

test('a quoted identifier reads back as itself', () => {
  fc.assert(
    fc.property(text, (name) => {
      const quoted = quoteIdent(name)
      expect(quoted.startsWith('"') && quoted.endsWith('"')).toBe(true)
      expect(quoted.slice(1, -1).replaceAll('""', '').includes('"')).toBe(false)
      expect(quoted.slice(1, -1).replaceAll('""', '"')).toBe(name)
    }),
  )
})

test('a quoted literal cannot be left', () => {
  fc.assert(
    fc.property(text, (value) => {
      const quoted = quoteLiteral(value)
      const inner = quoted.slice(quoted.indexOf("'") + 1, -1)
      expect(inner.replaceAll("''", '').includes("'")).toBe(false)
      if (value.includes('\\')) expect(quoted.startsWith(" E'")).toBe(true)
    }),
  )
})

test('NUL is refused', () => {
  expect(() => quoteIdent('a\0')).toThrow(TypeError)
  expect(() => quoteLiteral('a\0')).toThrow(TypeError)
})
