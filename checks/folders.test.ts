import { expect, test } from 'vitest'
import { mostFiles, nowSmaller, overfull, stillFull } from './folders.ts'
import { readSources } from './sources.ts'

const sources = readSources()

test('no folder has more files than can be read as a list', () => {
  expect(overfull(sources)).toEqual([])
})

test('folders that are still to be divided only become smaller', () => {
  expect(nowSmaller(sources)).toEqual([])
})

test('a folder that is too full is found, and one that has become smaller', () => {
  const files = (folder: string, count: number) =>
    Array.from({ length: count }, (_, i) => ({ path: `${folder}/${i}.ts`, text: '' }))
  expect(overfull(files('kit/new', mostFiles))).toEqual([])
  expect(overfull(files('kit/new', mostFiles + 1))).toEqual([`kit/new: ${mostFiles + 1} files`])
  const [first] = Object.entries(stillFull)
  if (!first) return
  const [folder, most] = first
  expect(overfull(files(folder, most + 1))).toHaveLength(1)
  expect(nowSmaller(files(folder, most - 1))).toContain(`${folder}: ${most - 1} files, not ${most}`)
})
