import { expect, test } from 'vitest'
import { chosenFiles, renamedText } from './dropped-files.ts'

const files = (...names: string[]) => names.map((name) => new File(['x'], name))

test('a file whose name a key cannot have gets another one, and that is told', () => {
  const chosen = chosenFiles('in/here', files('notes ü.txt', 'plain.txt'))
  expect(chosen.map(({ path }) => path)).toEqual(['in/here/notes u.txt', 'in/here/plain.txt'])
  const told = renamedText('in/here', chosen)
  expect(told?.title).toBe('A file gets another name')
  expect(told?.description).toMatch(
    /^“notes ü.txt” is stored as “notes u.txt”. Names have letters without accents/,
  )
})

test('of many only the first are named', () => {
  const told = renamedText('', chosenFiles('', files('ä', 'ö', 'ü', 'é', 'è')))
  expect(told?.title).toBe('5 files get other names')
  expect(told?.description).toMatch(/“ü” is stored as “u”. And 2 more. Names/)
})

test('nothing is told of names that stay', () => {
  expect(renamedText('', chosenFiles('', files('a.txt', 'b (1).txt')))).toBeUndefined()
})
