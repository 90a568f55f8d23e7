import { expect, test } from 'vitest'
import {
  below,
  folderOf,
  nameOf,
  nameProblem,
  pathProblem,
  previewKind,
  safeName,
  stepsOf,
  tidy,
} from './paths.ts'

test('paths are put together and taken apart', () => {
  expect([below('', 'a'), below('a/b', 'c')]).toEqual(['a', 'a/b/c'])
  expect([folderOf('a'), folderOf('a/b/c')]).toEqual(['', 'a/b'])
  expect([nameOf('a'), nameOf('a/b/c')]).toEqual(['a', 'c'])
  expect(stepsOf('')).toEqual([])
  expect(stepsOf('a/b')).toEqual([
    { name: 'a', path: 'a' },
    { name: 'b', path: 'a/b' },
  ])
  expect(tidy(' /a/b// ')).toBe('a/b')
})

test.each(['', '.', '..', 'a/b', 'Füße', 'a#b', 'a\nb'])('%j is no name', (name) => {
  expect(nameProblem(name)).toBeTypeOf('string')
})

test.each(['a', 'two words.txt', "it's (1) & more!"])('%j is a name', (name) => {
  expect(nameProblem(name)).toBeUndefined()
})

test('a path is wrong where one of its names is', () => {
  expect(['', 'a', 'a/b'].map(pathProblem)).toEqual([undefined, undefined, undefined])
  expect(['a//b', 'a/../b', '/a'].map(pathProblem)).not.toContain(undefined)
})

test('a name from a disk becomes one that a key can have', () => {
  expect(safeName('Füße #1 [x].png')).toBe('Fuße #1 [x].png'.replaceAll(/[ß#[\]]/g, '_'))
  expect(nameProblem(safeName('日本 €.txt'))).toBeUndefined()
})

test.each([
  ['image/png', 'image'],
  ['image/svg+xml', 'image'],
  ['Text/Plain; charset=utf-8', 'text'],
  ['application/ld+json', 'text'],
  ['application/pdf', 'pdf'],
  ['video/mp4', 'video'],
  ['audio/ogg', 'audio'],
  ['application/zip', undefined],
  [null, undefined],
] as const)('%s is shown as %s', (type, kind) => {
  expect(previewKind(type)).toBe(kind)
})
