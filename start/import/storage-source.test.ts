import { expect, test } from 'vitest'
import { objectPath } from './storage-source.ts'

test.each([
  ['a/b c.txt', '/storage/v1/object/pictures/a/b%20c.txt'],
  ['100%/ä?#&.txt', '/storage/v1/object/pictures/100%25/%C3%A4%3F%23%26.txt'],
  ['...', '/storage/v1/object/pictures/...'],
  ['a/../../../auth/v1/admin/users', undefined],
  ['./a', undefined],
  ['a//b', undefined],
  ['a/', undefined],
])('the address of %s', (name, path) => {
  expect(objectPath('object', 'pictures', name)).toBe(path)
})

test('a bucket leads nowhere else either', () => {
  expect(objectPath('object', '..', 'a')).toBeUndefined()
  expect(objectPath('object', 'a/b', 'c')).toBe('/storage/v1/object/a%2Fb/c')
})
