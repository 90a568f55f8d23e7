import { expect, test } from 'vitest'
import { readTablesSearch, sizeWords } from './table-words.ts'

test.each([
  [0, '0 bytes'],
  [8192, '8 kB'],
  [1536, '1.5 kB'],
  [1024 ** 3 * 2.25, '2.3 GB'],
])('%d bytes are %s', (bytes, words) => expect(sizeWords(bytes)).toBe(words))

test('only kinds that there are stay in the address', () => {
  expect(readTablesSearch({ schema: 's', find: 'x', kind: 'view' })).toEqual({
    schema: 's',
    find: 'x',
    kind: 'view',
  })
  expect(readTablesSearch({ kind: 'constructor', schema: 1 })).toEqual({})
})
