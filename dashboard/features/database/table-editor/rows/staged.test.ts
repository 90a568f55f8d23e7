import { expect, test } from 'vitest'
import fc from 'fast-check'
import {
  changesOf,
  countOf,
  dropColumn,
  editInsert,
  idOf,
  isConflict,
  keepMine,
  keyOf,
  lostColumns,
  markConflicts,
  nothing,
  stageDelete,
  stageEdit,
  stageInsert,
  summaryOf,
  undoCell,
  undoDelete,
  undoInsert,
  changed,
  fresh,
  redone,
  undone,
  type History,
} from './staged.ts'

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

const key = { id: '7' }
const id = idOf(key)
const edit = { key, column: 'note', from: 'old', to: 'new' }

test('a row is known by every part of its key, or not at all', () => {
  const columns = ['a', 'b', 'c']
  expect(keyOf(['1', null, 'x'], columns, ['a', 'c'])).toEqual({ a: '1', c: 'x' })
  expect(keyOf(['1', { head: 'long' }], columns, ['b'])).toBeUndefined()
  expect(keyOf(['1'], columns, [])).toBeUndefined()
})

test('an edit keeps what was there first, and typing that again takes it back', () => {
  const once = stageEdit(nothing, edit)
  const twice = stageEdit(once, { ...edit, from: 'new', to: 'newer' })
  expect(twice.updates[id]?.set).toEqual({ note: { from: 'old', to: 'newer' } })
  expect(stageEdit(twice, { ...edit, to: 'old' })).toEqual(nothing)
  expect(stageEdit(nothing, { ...edit, from: null, to: '' }).updates[id]?.set).toEqual({
    note: { from: null, to: '' },
  })
})

test('undo of one cell leaves the others', () => {
  const two = stageEdit(stageEdit(nothing, edit), { ...edit, column: 'n', from: '1', to: '2' })
  expect(Object.keys(undoCell(two, id, 'note').updates[id]?.set ?? {})).toEqual(['n'])
  expect(undoCell(undoCell(two, id, 'note'), id, 'n')).toEqual(nothing)
  expect(undoCell(nothing, 'x', 'y')).toBe(nothing)
})

test('a deletion forgets what was typed into the row', () => {
  const staged = stageDelete(stageEdit(nothing, edit), [key])
  expect(staged.updates).toEqual({})
  expect(countOf(staged)).toMatchObject({ deletes: 1, updates: 0, all: 1 })
  expect(undoDelete(staged, id)).toEqual(nothing)
})

test('changes go out as deletions, updates and insertions in the order they were written', () => {
  let staged = stageInsert(nothing, { id: 'a', values: { n: '1' } })
  staged = stageInsert(staged, { id: 'b', values: {} })
  staged = editInsert(staged, 'b', { n: { default: true } })
  staged = stageDelete(stageEdit(staged, edit), [{ id: '9' }])
  expect(changesOf(staged)).toEqual([
    { kind: 'delete', key: { id: '9' } },
    { kind: 'update', key, set: { note: { from: 'old', to: 'new' } } },
    { kind: 'insert', values: { n: '1' } },
    { kind: 'insert', values: { n: { default: true } } },
  ])
  expect(countOf(undoInsert(staged, 'a'))).toMatchObject({ inserts: 1, all: 3 })
  const wider = stageEdit(staged, { ...edit, column: 'n', from: '1', to: '2' })
  expect(summaryOf(wider)).toBe('2 cells changed in 1 row, 2 new rows, 1 row to delete')
  expect(summaryOf(stageInsert(nothing, { id: 'a', values: {} }))).toBe('1 new row')
})

test('only cells that somebody else changed are in conflict, until one side wins', () => {
  const two = stageEdit(stageEdit(nothing, edit), { ...edit, column: 'n', from: '1', to: '2' })
  const marked = markConflicts(two, id, { note: 'theirs', n: '1' })
  expect(marked.updates[id]?.set).toEqual({
    note: { from: 'old', to: 'new', theirs: 'theirs' },
    n: { from: '1', to: '2' },
  })
  expect(countOf(marked)).toMatchObject({ conflicts: 1, updates: 0, all: 1 })
  const mine = keepMine(marked, id, 'note')
  expect(mine.updates[id]?.set.note).toEqual({ from: 'theirs', to: 'new' })
  expect(countOf(mine).conflicts).toBe(0)
  expect(countOf(undoCell(marked, id, 'note')).conflicts).toBe(0)
})

test('a row that is gone is a conflict as a whole', () => {
  const update = markConflicts(stageEdit(nothing, edit), id, undefined).updates[id]
  expect(update && isConflict(update)).toBe(true)
})

test('what was typed for a column that is gone is found, and dropped alone', () => {
  let staged = stageEdit(stageEdit(nothing, edit), { ...edit, column: 'n', from: '1', to: '2' })
  staged = stageInsert(staged, { id: 'a', values: { n: '1', note: 'x' } })
  expect(lostColumns(staged, [{ name: 'n' }, { name: 'note' }])).toEqual([])
  expect(lostColumns(staged, [{ name: 'n' }])).toEqual(['note'])
  const left = dropColumn(staged, 'note')
  expect(left.updates[id]?.set).toEqual({ n: { from: '1', to: '2' } })
  expect(left.inserts).toEqual([{ id: 'a', values: { n: '1' } }])
  expect(dropColumn(dropColumn(left, 'n'), 'note').updates).toEqual({})
})
