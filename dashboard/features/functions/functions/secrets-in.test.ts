import { expect, test } from 'vitest'
import { slugProblem } from './function-files.ts'
import { secretsIn } from './secrets-in.ts'

test.each([
  ['', 'There is no secret in this text'],
  ['A=1\nno', 'Line 2 is not NAME=value'],
  ['1A=1', 'Line 1 is not NAME=value'],
  ['SUPABASE_X=1', `Line 1: names that begin with SUPABASE_ are the platform's`],
])('%j is refused', (text, problem) => expect(secretsIn(text)).toEqual({ problem }))

test('names and values, as files of an environment have them', () => {
  expect(secretsIn('# mine\nA=1\n\nexport B_2 = "two = 2"\r\nC=')).toEqual({
    secrets: [
      { name: 'A', value: '1' },
      { name: 'B_2', value: 'two = 2' },
      { name: 'C', value: '' },
    ],
  })
})

test('names of functions', () => {
  expect(slugProblem('a-b_1', ['c'])).toBeUndefined()
  for (const name of ['', '1a', 'a/b', 'c']) expect(slugProblem(name, ['c']), name).toBeDefined()
})
