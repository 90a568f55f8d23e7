import fc from 'fast-check'
import { loadModule, parseSync } from 'libpg-query'
import { beforeAll, expect, test } from 'vitest'
import { addColumn, dropConstraints } from './columns.ts'
import { anyColumns, hostileName, plainColumn } from '../../testing/tables.ts'

beforeAll(() => loadModule())

test('a column reads as people write one, and its words come after it', () => {
  const column = { ...plainColumn('pages'), type: 'int4', default: '0', comment: 'How many' }
  expect(addColumn({ schema: 'public', name: 'books' }, column)).toEqual({
    name: 'add_column_pages_to_books',
    statements: [
      'alter table public.books add column pages int4 default 0',
      "comment on column public.books.pages is 'How many'",
    ],
    inverse: ['alter table public.books drop column pages'],
  })
  const key = addColumn({ schema: 'public', name: 'books' }, { ...column, unique: true }, true)
  expect(key.statements[0]).toMatch(/ pages int4 default 0 primary key$/)
})

test('whatever they are called, each of them is one statement', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(
      hostileName,
      hostileName,
      anyColumns,
      fc.boolean(),
      (schema, name, columns, key) => {
        const table = { schema, name }
        const names = columns.map((column) => column.name)
        const changes = [
          ...columns.map((column) => addColumn(table, column, key)),
          dropConstraints(table, names),
        ]
        for (const { statements, inverse = [] } of changes)
          for (const sql of [...statements, ...inverse])
            expect(parseSync(sql).stmts, sql).toHaveLength(1)
      },
    ),
    { numRuns: 1000 },
  )
})
