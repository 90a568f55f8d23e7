import { describe, expect, test } from 'vitest'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { columnOf as column, columnOf } from '../../../testing/columns.ts'
import { editorOf, newCellView, typedCell, typeLabel, typeTip } from './grid/grid-columns.ts'
import { rowInsert } from './rows/changes-sql.ts'
import {
  changesOf,
  editInsert,
  idOf,
  markConflicts,
  nothing,
  stageDelete,
  stageEdit,
  stageInsert,
  undoInsert,
} from './rows/staged.ts'
import { refusalOf, refusedBy, stands, tableModel } from './table-model.ts'

const columns = [
  column('id', 'int8', {
    is_identity: true,
    identity_generation: 'BY DEFAULT',
    is_nullable: false,
  }),
  column('ok', 'bool'),
  column('note', 'text'),
]
const entity: EntityDetail = {
  id: 1,
  schema: 'public',
  name: 't',
  kind: 'table',
  comment: null,
  rls_enabled: true,
  security_definer: false,
  rows_estimate: 2,
  columns,
  primary_key: ['id'],
  foreign_keys: [],
  checks: [],
  policies: 0,
  read_only_because: null,
  fixed_rows_because: null,
}
const rows = [
  ['1', 't', 'a'],
  ['2', null, { head: 'long' }],
]

test('rows to come stand first, and say what the database will fill in', () => {
  const model = tableModel(entity, rows, stageInsert(nothing, { id: 'x', values: { note: 'n' } }))
  expect(model.rowCount).toBe(3)
  expect([0, 1, 2].map((at) => model.cellAt(0, at))).toEqual([
    { text: null, look: 'auto' },
    { text: null },
    { text: 'n' },
  ])
  expect(model.rowStateAt(0)).toBe('new')
  expect(model.cellAt(1, 1)).toEqual({ text: 'true' })
  expect(model.cellAt(2, 2)).toEqual({ text: 'long', cut: true })
})

test('an edit of a cell is shown, and reaches the row it was made in', () => {
  const first = tableModel(entity, rows, nothing)
  const staged = first.edited([
    { row: 0, column: 1, text: 'False' },
    { row: 1, column: 2, text: null },
  ])(nothing)
  expect(staged.updates[idOf({ id: '1' })]?.set).toEqual({ ok: { from: 't', to: 'f' } })
  const model = tableModel(entity, rows, staged)
  expect(model.cellAt(0, 1)).toEqual({ text: 'false', state: 'changed' })
  expect(model.cellAt(1, 2)).toEqual({ text: null, state: 'changed' })
  expect([0, 1].map(model.rowStateAt)).toEqual(['changed', 'changed'])
  const conflict = tableModel(entity, rows, markConflicts(staged, idOf({ id: '1' }), { ok: null }))
  expect(conflict.cellAt(0, 1).state).toBe('conflict')
  expect(conflict.rowStateAt(0)).toBe('conflict')
})

test('edits of new rows stay with them', () => {
  const before = stageInsert(nothing, { id: 'x', values: {} })
  const staged = tableModel(entity, rows, before).edited([{ row: 0, column: 2, text: '' }])(before)
  expect(staged.inserts).toEqual([{ id: 'x', values: { note: '' } }])
  expect(staged.updates).toEqual({})
})

test('what is pasted below the last row becomes new rows, in their order', () => {
  const model = tableModel(entity, rows, nothing)
  const staged = model.edited([
    { row: 1, column: 2, text: 'old' },
    { row: 2, column: 2, text: 'first' },
    { row: 3, column: 2, text: 'second' },
    { row: 3, column: 1, text: 'true' },
  ])(nothing)
  expect(staged.inserts.map(({ values }) => values)).toEqual([
    { note: 'first' },
    { note: 'second', ok: 't' },
  ])
  expect(Object.keys(staged.updates)).toHaveLength(1)
  // They stand where they were pasted, below what is inserted by itself, and are made in this order.
  const both = stageInsert(staged, { id: 'x', values: { note: 'third' } })
  const shown = tableModel(entity, rows, both)
  expect([0, 1, 2, 3, 4].map((row) => shown.cellAt(row, 2).text)).toEqual([
    'third',
    'a',
    'old',
    'first',
    'second',
  ])
  expect([0, 1, 2, 3, 4, 5].map(shown.nameOf)).toEqual([
    'New row 3',
    'Row 1',
    'Row 2',
    'New row 1',
    'New row 2',
    'New row 4',
  ])
  expect(changesOf(both).slice(1)).toEqual(
    both.inserts.map(({ values }) => ({ kind: 'insert', values })),
  )
  // A second block goes below the first, and leaves to the database what it says nothing of.
  const more = shown.edited([
    { row: 5, column: 2, text: 'fourth' },
    { row: 5, column: 0, text: null },
  ])(both)
  expect(tableModel(entity, rows, more).cellAt(5, 2).text).toBe('fourth')
  expect(more.inserts.at(-1)?.values).toEqual({ note: 'fourth', id: { default: true } })
})

test('rows to be deleted are marked', () => {
  const model = tableModel(entity, rows, stageDelete(nothing, [{ id: '2' }]))
  expect([0, 1].map(model.rowStateAt)).toEqual([undefined, 'deleted'])
  // Below the last row there is none.
  expect(model.rowStateAt(2)).toBeUndefined()
})

test('without a key nothing can be edited but what is new', () => {
  const keyless = { ...entity, primary_key: [], fixed_rows_because: 'No key.' }
  const model = tableModel(keyless, rows, nothing)
  expect(model.keyAt(0)).toBeUndefined()
  expect(model.fixedBecause(0)).toBe('No key.')
  expect(model.fixedBecause(2)).toBeUndefined()
  expect(model.edited([{ row: 2, column: 2, text: 'x' }])(nothing).inserts).toHaveLength(1)
  expect(model.edited([{ row: 0, column: 2, text: 'x' }])(nothing)).toBe(nothing)
})

test('types choose their editors', () => {
  const editors = ['bool', 'int4', 'jsonb', 'timestamptz', 'uuid'].map((format) =>
    editorOf(column('c', format)),
  )
  expect(editors).toEqual(['bool', 'number', 'json', 'moment', 'uuid'])
  const choice = column('c', 'mood', { enums: ['sad'] })
  const list = column('c', '_mood', { enums: ['sad'], data_type: 'ARRAY' })
  expect([editorOf(choice), editorOf(list), typeLabel(choice), typeLabel(list)]).toEqual([
    'choice',
    'list',
    'mood',
    'mood[]',
  ])
})

test('the name of a type goes with what it does not say', () => {
  const short = { ...column('c', 'varchar'), type_label: 'varchar(20)', base_type: null }
  expect([typeLabel(short), typeTip(short)]).toEqual(['varchar(20)', undefined])
  const domain = { ...column('c', 'text'), type_label: 'email', base_type: 'character varying(20)' }
  expect([typeLabel(domain), typeTip(domain)]).toEqual([
    'email',
    'Domain over character varying(20)',
  ])
  const letters = Array.from('abcdefghijkl')
  expect(typeTip(column('c', 'mood', { enums: letters }))).toBe(
    'Enum: a, b, c, d, e, f, g, h, i, j and 2 more',
  )
})

test('truth is typed in words', () => {
  const truth = column('c', 'bool')
  expect(['TRUE', 'f', 'maybe', null].map((text) => typedCell(truth, text))).toEqual([
    't',
    'f',
    'maybe',
    null,
  ])
  expect(typedCell(column('c', 'text'), 'true')).toBe('true')
  expect(newCellView(truth, 't')).toEqual({ text: 'true' })
})

test('a row is said as the statement that would make it again, without what the database fills in', () => {
  const staged = stageInsert(nothing, { id: 'x', values: { note: "it's" } })
  const model = tableModel(entity, rows, staged)
  expect(rowInsert(entity, model, 0)).toBe(
    "insert into public.t (ok, note)\nvalues (null, 'it''s');",
  )
  expect(rowInsert(entity, model, 1)).toBe(
    "insert into public.t (id, ok, note)\nvalues ('1', 't', 'a');",
  )
  // Its note is not here whole.
  expect(rowInsert(entity, model, 2)).toBeUndefined()
  const numbered = columns.map((one) =>
    one.name === 'id' ? { ...one, identity_generation: 'ALWAYS' as const } : one,
  )
  expect(rowInsert({ ...entity, columns: numbered }, model, 1)).not.toContain('id')
})

describe('refusal', () => {
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
})
