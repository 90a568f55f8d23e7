import { expect, test } from 'vitest'
import type { EntityColumn } from '#contract/database/pg-meta-shapes'
import { emptying, refusalText, refusedOf } from './edits.ts'
import { columnOf } from '../../../../testing/columns.ts'

const columns: EntityColumn[] = [
  columnOf('id', 'int8', { is_nullable: false, is_identity: true }),
  columnOf('title', 'text', { is_nullable: false }),
  columnOf('pages', 'int4', { is_nullable: false }),
  columnOf('price', 'numeric', { type: 'numeric(5,2)' }),
  columnOf('mood', 'mood', { is_nullable: false, enums: ['fine'] }),
]
const table = { columns, primary_key: ['id'] }
const rows = {
  isNew: (row: number) => row > 0,
  nameOf: (row: number) => (row > 0 ? `New row ${row}` : 'Row 7'),
}
const edit = (row: number, column: number, text: string | null) => ({ row, column, text })

test('edits that can never be saved are found', () => {
  const edits = [
    edit(0, 2, '7'),
    edit(0, 2, '2,000'),
    edit(0, 3, null),
    edit(0, 3, '1000'),
    edit(0, 3, ''),
    edit(0, 0, null),
    edit(1, 0, null),
    edit(1, 1, null),
  ]
  expect(refusedOf(table, rows, edits)).toEqual([
    { row: 0, column: 2, problem: 'Write this number without thousands separators: 2000' },
    { row: 0, column: 3, problem: 'numeric(5,2) takes at most 3 digits before the decimal point' },
    { row: 0, column: 3, problem: 'Empty text is no value of numeric. Choose NULL for no value.' },
    { row: 0, column: 0, problem: 'id cannot be NULL' },
    { row: 1, column: 1, problem: 'title cannot be NULL' },
  ])
})

test('a type of people that is called like one of Postgres takes what it likes', () => {
  const own = columnOf('n', 'int4', { data_type: 'USER-DEFINED' })
  expect(refusedOf({ columns: [own], primary_key: [] }, rows, [edit(0, 0, 'x')])).toEqual([])
})

test('what was refused names row and column, and how many more there are', () => {
  const one = [{ row: 0, column: 2, problem: 'No' }]
  expect(refusalText(table, rows, 'pasted', one)).toBe('Nothing was pasted. Row 7, pages: No')
  const three = [{ row: 2, column: 1, problem: 'No' }, ...one, ...one]
  expect(refusalText(table, rows, 'filled', three)).toBe(
    'Nothing was filled in. New row 2, title: No (and 2 more cells)',
  )
})

test('emptied cells become NULL or empty text, and those that can be neither are left', () => {
  const cells = (row: number) => columns.map((_, column) => ({ row, column }))
  expect(emptying(table, rows, cells(0))).toEqual({
    edits: [edit(0, 1, ''), edit(0, 3, null)],
    left: [
      { row: 0, column: 0, problem: 'id is part of the primary key and cannot be emptied' },
      { row: 0, column: 2, problem: 'pages cannot be NULL' },
      { row: 0, column: 4, problem: 'mood cannot be NULL' },
    ],
  })
  // The number of a new row is the database's again.
  expect(emptying(table, rows, cells(1)).edits).toContainEqual(edit(1, 0, null))
})
