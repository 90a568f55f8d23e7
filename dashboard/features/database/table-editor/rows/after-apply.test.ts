import { expect, test } from 'vitest'
import { afterApply, pageAfterApply } from './after-apply.ts'
import {
  editInsert,
  idOf,
  nothing,
  stageDelete,
  stageEdit,
  stageInsert,
  type Staged,
} from './staged.ts'

const columns = ['id', 'title', 'pages']
const edit = (staged: Staged, id: string, column: string, from: string | null, to: string) =>
  stageEdit(staged, { key: { id }, column, from, to })

test('nothing is left when nothing was typed meanwhile', () => {
  const applied = stageInsert(stageDelete(edit(nothing, '1', 'title', 'a', 'b'), [{ id: '2' }]), {
    id: 'new',
    values: { title: 'n' },
  })
  const rows = [null, ['1', 'b', null], ['3', 'n', null]]
  expect(afterApply(applied, applied, { columns, rows }, ['id'])).toEqual(nothing)
})

test('what was typed meanwhile stays, over the values as the database prints them', () => {
  const applied = edit(nothing, '1', 'title', 'a', 'now')
  let now = edit(applied, '1', 'title', 'a', 'later')
  now = edit(now, '1', 'pages', null, '7')
  now = edit(now, '9', 'title', 'x', 'y')
  const rows = [['1', '2026-01-01', '5']]
  expect(afterApply(now, applied, { columns, rows }, ['id']).updates).toEqual({
    [idOf({ id: '1' })]: {
      key: { id: '1' },
      set: { title: { from: '2026-01-01', to: 'later' }, pages: { from: '5', to: '7' } },
    },
    [idOf({ id: '9' })]: { key: { id: '9' }, set: { title: { from: 'x', to: 'y' } } },
  })
})

test('a row whose key was saved is known by its new one', () => {
  const applied = edit(nothing, '1', 'id', '1', '10')
  const now = edit(applied, '1', 'title', 'a', 'b')
  const left = afterApply(now, applied, { columns, rows: [['10', 'a', null]] }, ['id'])
  expect(Object.keys(left.updates)).toEqual([idOf({ id: '10' })])
})

test('a new row that was typed in while it was made is a row like others', () => {
  const first = stageInsert(nothing, { id: 'first', values: { title: 'f' } })
  const applied = stageInsert(first, { id: 'second', values: { title: 's' } })
  let now = editInsert(applied, 'second', { title: 'typed on' })
  now = stageInsert(now, { id: 'third', values: {} })
  const rows = [
    ['1', 'f', null],
    ['2', 's', null],
  ]
  expect(afterApply(now, applied, { columns, rows }, ['id'])).toEqual({
    updates: {
      [idOf({ id: '2' })]: { key: { id: '2' }, set: { title: { from: 's', to: 'typed on' } } },
    },
    deletes: {},
    inserts: [{ id: 'third', values: {} }],
  })
})

test('a row that is to be deleted by now keeps no edits, and a new deletion stays', () => {
  const applied = edit(nothing, '1', 'title', 'a', 'b')
  const now = stageDelete(applied, [{ id: '1' }])
  const left = afterApply(now, applied, { columns, rows: [['1', 'b', null]] }, ['id'])
  expect(left).toEqual({ ...nothing, deletes: { [idOf({ id: '1' })]: { key: { id: '1' } } } })
})

test('until they are read anew, rows show what was saved', () => {
  const applied = stageDelete(edit(nothing, '1', 'title', 'a', 'now'), [{ id: '2' }])
  const answer = { columns, rows: [null, ['1', '2026-01-01', null]] }
  const page = {
    columns,
    rows: [
      ['1', 'a', null],
      ['2', 'b', null],
      ['3', 'c', null],
    ],
  }
  expect(pageAfterApply(page, applied, answer, ['id']).rows).toEqual([
    ['1', '2026-01-01', null],
    ['3', 'c', null],
  ])
  const altered = { ...answer, columns: ['id', 'title'] }
  expect(pageAfterApply(page, applied, altered, ['id'])).toBe(page)
})
