import { expect, test } from 'vitest'
import { maxFiles, overfull } from './folders.ts'
import { readSources } from './sources.ts'

const sources = readSources()

test('no folder has more files than can be read as a list', () => {
  expect(overfull(sources)).toEqual([])
})

test('a folder that is too full is found', () => {
  const files = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ path: `kit/new/${i}.ts`, text: '' }))
  expect(overfull(files(maxFiles))).toEqual([])
  expect(overfull(files(maxFiles + 1))).toEqual([`kit/new: ${maxFiles + 1} files`])
})
