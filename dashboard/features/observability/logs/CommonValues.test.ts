import { expect, test } from 'vitest'
import { suggested } from './CommonValues.tsx'

test('values are suggested where a few of them stand for many entries', () => {
  const isFor = (key: string, type: 'string' | 'number' | 'boolean') =>
    suggested.isFor({ key, type })
  expect(isFor('request_id', 'string')).toBe(false)
  expect(isFor('duration', 'number')).toBe(false)
  expect(isFor('status', 'number')).toBe(true)
  expect(isFor('parsed.user_name', 'string')).toBe(true)
})

test('what is suggested can be typed, and is not many', () => {
  expect(suggested.of(undefined)).toEqual([])
  const values = ['a', 'a,b', ' a', '', 'b'].map((value) => ({ value, count: 2 }))
  expect(suggested.of(values).map(({ value }) => value)).toEqual(['a', 'b'])
  const many = Array.from({ length: 20 }, (_, at) => ({ value: at, count: 1 }))
  expect(suggested.of(many)).toHaveLength(8)
  expect(suggested.of(many)[0]).toEqual({ value: '0', count: 1 })
})
