import { expect, test } from 'vitest'
import { leftText, otherName, shownName } from './trash-columns.tsx'

const now = new Date('2026-01-10T12:00:00Z')
test.each([
  ['2026-01-17T11:59:00Z', '7 days'],
  ['2026-01-11T12:00:00Z', '1 day'],
  ['2026-01-11T11:59:00Z', '23 hours'],
  ['2026-01-10T13:00:00Z', '1 hour'],
  ['2026-01-10T12:30:00Z', 'Under an hour'],
])('until %s there are %s', (at, left) => {
  expect(leftText(at, now)).toBe(left)
})

test.each([
  ['cat.png', 'cat (restored).png'],
  ['a.b/cat', 'a.b/cat (restored)'],
  ['a/.env', 'a/.env (restored)'],
  ['a/x.tar.gz', 'a/x.tar (restored).gz'],
])('beside %s is %s', (name, other) => {
  expect(otherName(name)).toBe(other)
})

test('what stands for a folder is shown as the folder', () => {
  expect(shownName('a/b/.emptyFolderPlaceholder')).toBe('a/b/')
  expect(shownName('a/b.txt')).toBe('a/b.txt')
})
