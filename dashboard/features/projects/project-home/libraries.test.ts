import { expect, test } from 'vitest'
import { libraries, markOf } from './libraries.ts'

test('every library has a mark; that of C# goes by another name than its language', () => {
  expect(libraries.map((library) => [library.language, markOf(library)])).toEqual([
    ['JavaScript', 'JS'],
    ['Flutter', 'Fl'],
    ['Python', 'Py'],
    ['C#', 'C#'],
    ['Swift', 'Sw'],
    ['Kotlin', 'Kt'],
  ])
  expect(libraries.filter(({ altIconName }) => altIconName).map((one) => one.language)).toEqual([
    'C#',
  ])
  expect(markOf({ language: 'Elixir' })).toBe('El')
  expect(markOf({ language: 'ECMAScript', altIconName: 'javascript' })).toBe('JS')
})
