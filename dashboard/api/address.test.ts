import { expect, test } from 'vitest'
import { addressOf } from './address.ts'

test('path values are taken out of the input and encoded', () => {
  expect(
    addressOf({ method: 'PATCH', path: '/platform/projects/:ref' }, { ref: 'a/b', name: 'x' }),
  ).toEqual({
    path: '/platform/projects/a%2Fb',
    body: { name: 'x' },
  })
})

test('a read carries the rest in the query, arrays joined by commas', () => {
  const input = { id: [1, 2, 3], search: 'a&b', off: undefined }
  expect(addressOf({ method: 'GET', path: '/platform/x' }, input)).toEqual({
    path: '/platform/x?id=1%2C2%2C3&search=a%26b',
    body: undefined,
  })
})

test('no query, no question mark', () => {
  expect(addressOf({ method: 'GET', path: '/platform/x' }, {}).path).toBe('/platform/x')
})

test('a missing ref is refused before anything is sent', () => {
  const detail = { method: 'GET', path: '/platform/projects/:ref' }
  expect(() => addressOf(detail, {})).toThrow('Project ref is required')
  expect(() => addressOf(detail, { ref: '' })).toThrow('Project ref is required')
})
