import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AuthError } from '../errors.ts'
import { mergeMetadata, metadataOf } from './metadata.ts'

const key = fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor', 'toString'), fc.string())
const record = fc.array(fc.tuple(key, fc.jsonValue())).map((pairs) => Object.fromEntries(pairs))

test('each key has the new value, or the old one when none is given, and null removes it', () => {
  fc.assert(
    fc.property(record, record, (old, changes) => {
      const merged = mergeMetadata(old, changes)
      for (const name of [...Object.keys(old), ...Object.keys(changes)]) {
        const given = Object.hasOwn(changes, name)
        const expected = given ? changes[name] : old[name]
        expect(Object.hasOwn(merged, name)).toBe(!(given && expected === null))
        if (Object.hasOwn(merged, name)) expect(merged[name]).toBe(expected)
      }
      expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
    }),
  )
})

test('merging the same changes twice changes nothing more, and the inputs stay', () => {
  fc.assert(
    fc.property(record, record, (old, changes) => {
      const before = JSON.stringify([old, changes])
      const once = mergeMetadata(old, changes)
      expect(mergeMetadata(once, changes)).toEqual(once)
      expect(JSON.stringify([old, changes])).toBe(before)
    }),
  )
})

test('no changes give the old values', () => {
  expect(mergeMetadata({ a: null, b: 1 }, undefined)).toEqual({ a: null, b: 1 })
})

test.each([[null], [undefined], ['text'], [[1]], [3]])('%s counts as empty', (value) => {
  expect(metadataOf(value)).toEqual({})
})

test('it cannot grow without end', () => {
  const half = { a: 'x'.repeat(40_000) }
  expect(() => mergeMetadata(half, { b: 'x'.repeat(40_000) })).toThrow(AuthError)
  // What a seed made too large can still be read and made smaller.
  const large = { a: 'x'.repeat(100_000) }
  expect(mergeMetadata(large, { a: null })).toEqual({})
})
