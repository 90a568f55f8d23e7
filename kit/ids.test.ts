import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newProjectRef, newSecret, sameSecret, slugOf } from './ids.ts'

test('refs are 20 lower-case letters and do not repeat', () => {
  const refs = Array.from({ length: 500 }, newProjectRef)
  expect(refs.every((ref) => /^[a-z]{20}$/.test(ref))).toBe(true)
  expect(new Set(refs).size).toBe(500)
})

test.each([
  ['Kestrel Coffee', 'kestrel-coffee'],
  ['  Ünïcode & Söhne!  ', 'unicode-sohne'],
  ['---', ''],
  ['日本', ''],
])('the slug of %s is %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('every slug fits its rule', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
      expect(slugOf(name)).toMatch(/^$|^[a-z0-9]+(?:-[a-z0-9]+)*$/)
      expect(slugOf(name).length).toBeLessThanOrEqual(48)
    }),
  )
})

test('secrets are compared whole', () => {
  const secret = newSecret('sb_')
  expect(secret).toMatch(/^sb_[\w-]{43}$/)
  expect(sameSecret(secret, secret)).toBe(true)
  expect(sameSecret(secret, `${secret} `)).toBe(false)
  expect(sameSecret('', secret)).toBe(false)
})
