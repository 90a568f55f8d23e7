import { expect, test } from 'vitest'
import { searchTexts } from './search-texts.ts'

test('only the named texts of an address are kept, and none that is empty', () => {
  const search = { q: 'books', schema: '', mark: 7, other: 'x', of: undefined }
  expect(searchTexts(search, ['q', 'schema', 'mark', 'of'])).toEqual({ q: 'books' })
})
