import { expect, test } from 'vitest'
import { valuesFrom } from './rls-values.ts'
import { inactiveWords, outcomeWord } from './rls-words.ts'

test('a row in JSON becomes what its columns take', () => {
  expect(valuesFrom('{"a": "x", "b": 1.50, "c": null, "d": true, "e": {"k": [1]}}')).toEqual({
    a: 'x',
    b: '1.5',
    c: null,
    d: 'true',
    e: '{"k":[1]}',
  })
  expect(valuesFrom(' ')).toEqual({})
  for (const text of ['[1]', 'null', '{', '"a"', '1']) expect(valuesFrom(text)).toBeUndefined()
})

test('outcomes are said in the words of their command', () => {
  expect(outcomeWord('SELECT', 'skipped').word).toBe('Hidden')
  expect(outcomeWord('DELETE', 'skipped').word).toBe('Skipped')
  expect(outcomeWord('UPDATE', 'allowed')).toEqual({ word: 'Changed', tone: 'success' })
  expect(inactiveWords('bypass', 'service_role')).toContain('service_role')
})
