import { expect, test } from 'vitest'
import { createTable } from '#contract/ddl/tables/create-table'
import { editTable } from '#contract/ddl/tables/edit-table'
import { emptyTable, plainColumn } from '#contract/testing/tables'
import type { TableShape } from '#contract/ddl/tables/table-shape'
import { adviceOn, suggestedDefaults, typeOptions } from './column-types.ts'
import { draftColumn, draftKey, draftOf, draftTable, wantedOf, problemsOf } from './draft-table.ts'
import { fromTemplate, templates } from './templates.ts'

const start = { access: [], realtime: null }

test('a table starts secured, with a key and a time', () => {
  const wanted = wantedOf({ ...draftTable('shop', start), name: ' orders ' })
  expect(wanted).toMatchObject({ schema: 'shop', name: 'orders', rls: true })
  expect(wanted.primary_key.columns).toEqual(['id'])
  expect(wanted.columns).toMatchObject([
    { name: 'id', type: 'int8', identity: 'BY DEFAULT', nullable: false },
    { name: 'created_at', default: 'now()', nullable: false },
  ])
})

test('an identity is only for whole numbers', () => {
  const column = draftColumn({ name: 'a', type: 'text', identity: 'ALWAYS', default: 'x' })
  const [made] = wantedOf({ ...draftTable('s', start), columns: [column] }).columns
  expect(made).toMatchObject({ identity: null, default: "'x'" })
})

const table: TableShape = {
  ...emptyTable('public', 'books'),
  columns: [
    { ...plainColumn('b'), type: 'int4', nullable: false },
    { ...plainColumn('a'), type: 'text[]', nullable: false, default: '(ARRAY[]::text[])' },
    { ...plainColumn('sum'), type: 'int4', generated: '(b + 1)' },
  ],
  primary_key: { name: 'books_pkey', columns: ['a', 'b'] },
  foreign_keys: [
    {
      name: 'self',
      columns: ['b'],
      target_schema: 'public',
      target_table: 'books',
      target_columns: ['b'],
      on_update: 'NO ACTION',
      on_delete: 'CASCADE',
    },
  ],
}

test('a form that is opened and saved changes nothing', () => {
  expect(editTable(table, wantedOf(draftOf(table), table)).statements).toEqual([])
})

test('a renamed column stays in its keys', () => {
  const draft = draftOf(table)
  const columns = draft.columns.map((column) =>
    column.name === 'b' ? { ...column, name: 'c' } : column,
  )
  const wanted = wantedOf({ ...draft, columns }, table)
  expect(wanted.primary_key.columns).toEqual(['a', 'c'])
  expect(editTable(table, wanted).statements).toEqual([
    'alter table public.books rename column b to c',
  ])
})

test('a new table points to itself, under whatever name it gets', () => {
  const draft = { ...draftTable('shop', start), name: ' parts ' }
  const parent = draftColumn({ name: 'part of', type: 'int8' })
  const [id] = draft.columns
  const key = { ...draftKey('shop', parent.id), self: true }
  const [pair] = key.pairs
  if (!id || !pair) throw new Error('A table begins with columns')
  const incomplete = { ...draft, columns: [...draft.columns, parent], keys: [key] }
  expect(Object.keys(problemsOf(incomplete))).toEqual([key.id])
  const whole = { ...incomplete, keys: [{ ...key, pairs: [{ ...pair, target: id.id }] }] }
  expect(problemsOf(whole)).toEqual({})
  const { columns, ...wanted } = wantedOf(whole)
  const made = createTable(
    { ...wanted, columns: columns.map(({ was: _was, ...one }) => one) },
    start.access,
  )
  expect(made.statements[0]).toContain('foreign key ("part of") references shop.parts (id)')
})

test('a key to the table itself stays one when both are renamed', () => {
  const draft = draftOf(table)
  expect(draft.keys).toMatchObject([{ self: true, table: '' }])
  const columns = draft.columns.map((column) =>
    column.name === 'b' ? { ...column, name: 'c' } : column,
  )
  expect(
    editTable(table, wantedOf({ ...draft, name: 'volumes', columns }, table)).statements,
  ).toEqual([
    'alter table public.books rename column b to c',
    'alter table public.books rename to volumes',
  ])
})

test('what is missing or doubled is told where it is', () => {
  const columns = [draftColumn({ name: 'a' }), draftColumn({ name: ' a ' }), draftColumn()]
  const key = draftKey('public', '')
  const draft = { ...draftTable('s', start), columns, keys: [key] }
  expect(Object.keys(problemsOf(draft))).toEqual(['name', ...columns.map(({ id }) => id), key.id])
  expect(problemsOf({ ...draftTable('s', start), name: 'é'.repeat(32) })).toHaveProperty('name')
  const both = draftColumn({ name: 'x', generated: '1', default: '2' })
  expect(problemsOf({ ...draftTable('s', start), name: 'a', columns: [both] })).toHaveProperty(
    both.id,
  )
})

test.each(templates)('the template $name is a whole table', (template) => {
  const draft = fromTemplate(draftTable('public', start), template)
  expect(problemsOf(draft)).toEqual({})
  expect(wantedOf(draft).primary_key.columns).toEqual(['id'])
})

test('types are offered in their order, then enums, then others; the platform’s own are not', () => {
  const type = { id: 1, format: '', attributes: [], comment: null, type_relation_id: null }
  const options = typeOptions([
    { ...type, name: 'secret', schema: 'auth', enums: ['x'] },
    { ...type, name: 'vector', schema: 'extensions', enums: [] },
    { ...type, name: 'My mood', schema: 'public', enums: ['good', 'bad'] },
  ])
  expect(options[0]?.value).toBe('int2')
  expect(options.slice(-2).map(({ value }) => value)).toEqual([
    'public."My mood"',
    'extensions.vector',
  ])
})

test('defaults are suggested by type, and some types advised against', () => {
  expect(suggestedDefaults('uuid', false, [])[0]?.value).toBe('gen_random_uuid()')
  expect(suggestedDefaults('text', true, [])).toEqual([{ value: "'{}'", what: 'Empty list' }])
  expect(suggestedDefaults('m', false, ["it's"])[0]?.value).toBe("'it''s'")
  expect(adviceOn('json')).toContain('jsonb')
  expect(adviceOn('text')).toBeUndefined()
})
