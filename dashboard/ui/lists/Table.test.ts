import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextOrder, ordered, pageOf } from './Table.tsx'

const names = (rows: { name: string | null }[]) => rows.map((row) => row.name)

test('text as people order it, what is missing last either way', () => {
  const rows = ['b10', 'B2', null, 'a'].map((name) => ({ name }))
  expect(names(ordered(rows, (row) => row.name, false))).toEqual(['a', 'B2', 'b10', null])
  expect(names(ordered(rows, (row) => row.name, true))).toEqual(['b10', 'B2', 'a', null])
})

test('equals keep their order', () => {
  const rows = [1, 2, 3].map((id) => ({ id, same: 'x' }))
  expect(ordered(rows, (row) => row.same, true).map((row) => row.id)).toEqual([1, 2, 3])
})

test('a head goes up, down, off', () => {
  const up = nextOrder(undefined, 'name')
  const down = nextOrder(up, 'name')
  expect(up).toEqual({ column: 'name', descending: false })
  expect(down).toEqual({ column: 'name', descending: true })
  expect(nextOrder(down, 'name')).toBeUndefined()
  expect(nextOrder(down, 'plan')).toEqual({ column: 'plan', descending: false })
})

test('the pages together are the rows, each at most one size long', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer(), { maxLength: 60 }),
      fc.integer({ min: 1, max: 12 }),
      (rows, size) => {
        const { pages } = pageOf(rows, 0, size)
        const parts = Array.from({ length: pages }, (_, page) => pageOf(rows, page, size).rows)
        expect(parts.flat()).toEqual(rows)
        expect(parts.every((part) => part.length <= size)).toBe(true)
      },
    ),
  )
})

test('a page beyond the end is the last', () => {
  expect(pageOf([1, 2, 3], 9, 2)).toEqual({ rows: [3], page: 1, pages: 2 })
})
