import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changed, fresh, redone, undone, type History } from './history.ts'
import { stageInsert } from './staged.ts'

const insert = (id: number) => (now: History['now']) =>
  stageInsert(now, { id: `${id}`, values: {} })
const ids = ({ now }: History) => now.inserts.map(({ id }) => id)

test('undo and redo walk through the changes, and a new one ends what could be made again', () => {
  const two = changed(changed(fresh, insert(1)), insert(2))
  const one = undone(two)
  expect(ids(one)).toEqual(['1'])
  expect(ids(redone(one))).toEqual(['1', '2'])
  const other = changed(one, insert(3))
  expect(ids(redone(other))).toEqual(['1', '3'])
  expect(undone(fresh)).toEqual(fresh)
})

test('whatever was done, undoing as often as redoing changes nothing', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.nat({ max: 30 }), (made, back) => {
      const all = Array.from({ length: made }, (_, at) => insert(at)).reduce(changed, fresh)
      let history = all
      for (let step = 0; step < back; step++) history = undone(history)
      for (let step = 0; step < back; step++) history = redone(history)
      expect(ids(history)).toEqual(ids(all))
    }),
    { numRuns: 1000 },
  )
})

test('only so many steps are kept', () => {
  const all = Array.from({ length: 300 }, (_, at) => insert(at)).reduce(changed, fresh)
  expect(all.past.length).toBe(100)
})
