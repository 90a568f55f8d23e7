import { expect, test } from 'vitest'
import { jsonOf, lockOf, valuesFrom, inactiveWords, outcomeWord } from './rls-tester.ts'

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

test('a row survives the way from fields to JSON and back', () => {
  const row = { a: 'x', b: null, c: '', 'it"s': '{"k":[1]}' }
  expect(valuesFrom(jsonOf(row))).toEqual(row)
  expect(jsonOf({})).toBe('')
})

test('nobody gives a value to what the database computes', () => {
  const column = { is_generated: false, identity_generation: null } as const
  expect(lockOf(column, 'INSERT')).toBeUndefined()
  expect(lockOf({ ...column, is_generated: true }, 'UPDATE')).toMatch(/computed/)
  expect(lockOf({ ...column, identity_generation: 'ALWAYS' }, 'INSERT')).toMatch(/numbered/)
  expect(lockOf({ ...column, identity_generation: 'BY DEFAULT' }, 'INSERT')).toBeUndefined()
})
