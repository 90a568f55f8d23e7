import { expect, test } from 'vitest'
import { resourceOf, searchOf, viewOf } from './resource.ts'

test.each([
  undefined,
  '',
  'nonsense',
  'table-',
  'table-x',
  'table-99999999999',
  'function-4294967296',
])('%s is the introduction', (text) => {
  expect(resourceOf(text)).toEqual({ kind: 'introduction' })
})

test.each([
  {},
  { resource: 'types' },
  { resource: 'table-16402', lang: 'bash' },
  { resource: 'function-4294967295', key: 'service' },
])('the address %o says it all', (search) => {
  expect(searchOf(viewOf(search))).toEqual(search)
})

test('what is not known is as at a first look', () => {
  expect(searchOf(viewOf({ lang: 'cobol', key: 'master' }))).toEqual({})
})
