import { expect, test } from 'vitest'
import { createEnding } from './ending.ts'

test('what was begun last ends first, once, and a step that fails stops none of the others', async () => {
  const lines: string[] = []
  const ended: string[] = []
  const ending = createEnding((line) => lines.push(line))
  const step = (name: string) => () => Promise.resolve(void ended.push(name))
  ending.add('a', step('a'))
  ending.add('the folder', () => Promise.reject(new Error('it is gone')))
  ending.add('c', step('c'))
  expect(ending.hasBegun).toBe(false)
  expect(await Promise.all([ending.run(), ending.run()])).toEqual([false, false])
  expect(ending.hasBegun).toBe(true)
  expect(ended).toEqual(['c', 'a'])
  expect(lines).toEqual(['the folder could not be ended: it is gone'])
})

test('what is added while it ends is ended too', async () => {
  const ended: string[] = []
  const ending = createEnding(() => undefined)
  ending.add('a', () => {
    ending.add('b', () => Promise.resolve(void ended.push('b')))
    return Promise.resolve(void ended.push('a'))
  })
  expect(await ending.run()).toBe(true)
  expect(ended).toEqual(['a', 'b'])
})
