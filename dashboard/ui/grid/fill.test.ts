import { expect, test } from 'vitest'
import { filled, type Area } from './fill.ts'
import type { CellView } from './grid-types.ts'

const area = (x: number, y: number, width: number, height: number): Area => ({
  x,
  y,
  width,
  height,
})

function grid(rows: (string | null)[][], more: { locked?: number; cut?: string } = {}) {
  return {
    cellAt: (row: number, column: number): CellView => {
      const text = rows[row]?.[column] ?? null
      return text !== null && text === more.cut ? { text: `${text}...`, cut: true } : { text }
    },
    canEdit: (_row: number, column: number) => column !== more.locked,
    loadWhole: async (row: number, column: number) => rows[row]?.[column] ?? null,
  }
}

test('one value is repeated over the rest of the area', async () => {
  const edits = await filled(area(0, 0, 1, 1), area(0, 0, 1, 3), grid([['a'], ['b'], ['c']]))
  expect(edits).toEqual([
    { row: 1, column: 0, text: 'a' },
    { row: 2, column: 0, text: 'a' },
  ])
})

test('a block is repeated in its own order, also above where it stands', async () => {
  const rows = [['p'], ['q'], ['a'], ['b']]
  expect(await filled(area(0, 2, 1, 2), area(0, 0, 1, 4), grid(rows))).toEqual([
    { row: 0, column: 0, text: 'a' },
    { row: 1, column: 0, text: 'b' },
  ])
  expect(await filled(area(0, 2, 1, 2), area(0, 1, 1, 3), grid(rows))).toEqual([
    { row: 1, column: 0, text: 'b' },
  ])
})

test('NULL is drawn over values, and a locked column is left alone', async () => {
  const edits = await filled(
    area(0, 0, 1, 1),
    area(0, 0, 3, 1),
    grid([[null, 'b', 'c']], { locked: 1 }),
  )
  expect(edits).toEqual([{ row: 0, column: 2, text: null }])
})

test('of a large value the whole is drawn, not what is shown of it', async () => {
  const edits = await filled(
    area(0, 0, 1, 1),
    area(0, 0, 1, 2),
    grid([['long'], ['b']], { cut: 'long' }),
  )
  expect(edits).toEqual([{ row: 1, column: 0, text: 'long' }])
})

test('large values are not loaded without end', async () => {
  const rows = Array.from({ length: 200 }, () => ['long'])
  await expect(
    filled(area(0, 0, 1, 100), area(0, 0, 1, 200), grid(rows, { cut: 'long' })),
  ).rejects.toThrow(/too many/i)
})
