import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from './search.ts'

test('text stays text', () => {
  expect(parseSearch('?org=123&error=true')).toEqual({ org: '123', error: 'true' })
})

test('a path can be read in the address', () => {
  expect(stringifySearch({ returnTo: '/org/kestrel', none: undefined })).toBe(
    '?returnTo=/org/kestrel',
  )
  expect(stringifySearch({})).toBe('')
})

test('whatever is written is read back', () => {
  const value = fc.oneof(fc.string(), fc.array(fc.string(), { minLength: 2, maxLength: 4 }))
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), value), (search) => {
      expect(parseSearch(stringifySearch(search))).toEqual({ ...search })
    }),
  )
})
