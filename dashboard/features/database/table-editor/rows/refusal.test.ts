import { expect, test } from 'vitest'
import { columnOf } from '../../../../testing/columns.ts'
import { refusalOf, refusedBy, stands } from './refusal.ts'
import {
  editInsert,
  idOf,
  nothing,
  stageDelete,
  stageEdit,
  stageInsert,
  undoInsert,
} from './staged.ts'
import { tableModel } from '../table-model.ts'

const edit = (id: string, to: string) => ({ key: { id }, column: 'title', from: 'old', to })
let staged = stageEdit(stageDelete(nothing, [{ id: '1' }]), edit('2', 'b'))
staged = stageInsert(stageInsert(staged, { id: 'x', values: { title: 'first' } }), {
  id: 'y',
  values: { title: 'second' },
  below: true,
})
const answer = (change: number, columns: string[] = []) => ({ answer: { change, columns } })
const entity = {
  id: 1,
  schema: 'public',
  name: 't',
  kind: 'table' as const,
  comment: null,
  rls_enabled: true,
  security_definer: false,
  rows_estimate: 2,
  columns: [columnOf('id', 'int8', { is_nullable: false }), columnOf('title', 'text')],
  primary_key: ['id'],
  foreign_keys: [],
  checks: [],
  policies: 0,
  read_only_because: null,
  fixed_rows_because: null,
}
const rows = [
  ['1', 'a'],
  ['2', 'old'],
]

test('a refusal is about one of the changes, in the order in which they are sent', () => {
  const names = [0, 1, 2, 3, 4].map((change) => refusalOf(answer(change), staged)?.name)
  expect(names).toEqual(['Row 1', 'Row 2', 'New row 1', 'New row 2', undefined])
  expect(refusalOf({ answer: {} }, staged)).toBeUndefined()
  expect(refusedBy({ answer: { change: 1, detail: 'why', hint: 7 } })).toEqual({
    change: 1,
    detail: 'why',
  })
})

test('it stands until its change is another, and whatever happens to others', () => {
  const [deletion, update, insert] = [0, 1, 3].map((change) => refusalOf(answer(change), staged))
  if (!deletion || !update || !insert) throw new Error('no refusals')
  const other = editInsert(staged, 'x', { title: 'changed' })
  for (const one of [deletion, update, insert]) expect(stands(one, other)).toBe(true)
  expect(stands(update, stageEdit(staged, edit('2', 'c')))).toBe(false)
  expect(stands(insert, undoInsert(staged, 'y'))).toBe(false)
  expect(stands(deletion, nothing)).toBe(false)
})

test('its row and its cells are marked, and found where they are shown', () => {
  const update = refusalOf(answer(1, ['title']), staged)
  const model = tableModel(entity, rows, staged, update)
  expect([0, 1, 2, 3].map(model.rowStateAt)).toEqual(['new', 'deleted', 'refused', 'new'])
  expect(model.cellAt(2, 1)).toEqual({ text: 'b', state: 'refused' })
  expect(update && model.placeOf(update)).toEqual({ row: 2, column: 1 })
  const insert = refusalOf(answer(3, ['title']), staged)
  const other = tableModel(entity, rows, staged, insert)
  expect(other.cellAt(3, 1)).toEqual({ text: 'second', state: 'refused' })
  expect(other.rowStateAt(3)).toBe('refused')
  expect(insert && other.placeOf(insert)).toEqual({ row: 3, column: 1 })
  const away = refusalOf(answer(0), stageDelete(nothing, [{ id: '99' }]))
  expect(away && other.placeOf(away)).toBeUndefined()
  expect(idOf({ id: '2' })).toBe(update?.id)
})
