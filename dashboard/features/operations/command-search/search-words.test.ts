import { expect, test } from 'vitest'
import { searchedName } from './search-words.ts'

test.each([
  ['', ''],
  ['books', 'books'],
  ['query table books', 'books'],
  ['Switch to  Shop', 'Shop'],
  ['table', ''],
  ['the table of contents', 'of contents'],
])('%j looks for %j', (typed, name) => {
  expect(searchedName(typed)).toBe(name)
})
