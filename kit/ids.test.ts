import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isUuid, newProjectRef, newSecret, sameSecret, slugOf } from './ids.ts'

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

test('a UUID is what Postgres takes for one', () => {
  expect(isUuid('6C4B1B0E-51c5-4b43-9a0b-7b8f8f1f0001')).toBe(true)
  for (const text of ['', 'x', '-'.repeat(36), '6c4b1b0e51c54b439a0b7b8f8f1f0001-----'])
    expect(isUuid(text), text).toBe(false)
})
