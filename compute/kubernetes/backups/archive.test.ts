import { expect, test } from 'vitest'
import {
  backupBefore,
  begin,
  end,
  forget,
  isArchiving,
  mark,
  readArchive,
  windowsOf,
  writeArchive,
} from './archive.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 29, 1, minute))
const none = readArchive(undefined)
const backups = [
  { id: '1', server: 'a', takenAt: at(5) },
  { id: '2', server: 'a', takenAt: at(15) },
  { id: '3', server: 'a', takenAt: at(25) },
  { id: '4', server: 'b', takenAt: at(35) },
]
/** On from 10 to 28 with one server, then with the one that was restored. */
const archive = begin(end(begin(none, 'a', at(10)), at(28)), 'b', at(28))

test('it is as it was when it is read again', () => {
  const marked = mark(archive, 'a', at(28))
  expect(readArchive(writeArchive(marked))).toEqual(readArchive(writeArchive(marked)))
  expect(windowsOf(readArchive(writeArchive(marked)), backups)).toEqual(windowsOf(archive, backups))
  expect(readArchive(writeArchive(marked)).marks).toEqual({ a: at(28) })
})

test('what is on stays on, and what is off has nothing to end', () => {
  expect(isArchiving(none)).toBe(false)
  expect(end(none, at(1))).toEqual(none)
  expect(begin(archive, 'b', at(40))).toBe(archive)
})

test('a window goes from the first backup after it was switched on', () => {
  expect(windowsOf(archive, backups)).toEqual([
    { from: at(15), to: at(28) },
    { from: at(35), to: undefined },
  ])
  expect(windowsOf(archive, [])).toEqual([])
})

test.each([
  [5, undefined],
  [12, undefined],
  [15, '2'],
  [27, '3'],
  [30, undefined],
  [36, '4'],
])('to minute %s leads the backup %s', (minute, id) => {
  expect(backupBefore(archive, backups, at(minute))?.id).toBe(id)
})

test('what no backup leads to is forgotten, and what goes on is not', () => {
  const marked = mark(mark(archive, 'a', at(28)), 'b', at(36))
  const [, , , last] = backups
  const left = forget(marked, last ? [last] : [])
  expect(left.parts.map(({ server }) => server)).toEqual(['b'])
  expect(left.marks).toEqual({ b: at(36) })
  expect(forget(left, [])).toEqual(left)
  expect(forget(marked, backups)).toEqual(marked)
})
