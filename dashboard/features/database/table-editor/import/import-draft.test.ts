import fc from 'fast-check'
import { loadModule, parseSync } from 'libpg-query'
import { beforeAll, expect, test } from 'vitest'
import { columnNames } from './import-guess.ts'
import { columnsOf, draftOf, draftProblem, likelyKey, tableFor, tableName } from './import-draft.ts'

beforeAll(() => loadModule())

const text = 'id;Name;note\n1;Ada;"a;b"\n2;;\n'

test('a file is understood by its first rows', () => {
  const draft = draftOf('people.csv', text, true, ['name', 'id', 'other'])
  expect(draft).toMatchObject({ delimiter: ';', header: true })
  expect(draft.columns.map(({ head, into }) => [head, into])).toEqual([
    ['id', 'id'],
    ['Name', 'name'],
    ['note', null],
  ])
  expect(draft.columns[2]?.examples).toEqual(['a;b', ''])
  const fresh = draftOf('people.csv', text, true, 'new')
  expect(fresh.columns.map(({ into, type }) => [into, type])).toEqual([
    ['id', 'int8'],
    ['Name', 'text'],
    ['note', 'text'],
  ])
})

test('the row at which the sample was cut off says nothing', () => {
  const draft = draftOf('x.csv', 'a,b\n1,2\n3,not the wh', false, 'new')
  expect(draft.columns.map(({ type }) => type)).toEqual(['int8', 'int8'])
})

test('without a head the columns go in order', () => {
  const draft = draftOf('x.csv', '1,2\n3,4\n', true, ['a', 'b', 'c'])
  expect(draft.header).toBe(false)
  expect(columnsOf(draft, ['a', 'b', 'c']).map(({ into }) => into)).toEqual(['a', 'b'])
})

test('two columns for one, or none at all, cannot be imported', () => {
  const draft = draftOf('x.csv', text, true, 'new')
  expect(draftProblem(draft)).toBeUndefined()
  const to = (into: string | null) => ({
    ...draft,
    columns: draft.columns.map((column) => ({ ...column, into })),
  })
  expect(draftProblem(to(null))).toMatch(/at least one/)
  expect(draftProblem(to('a'))).toMatch(/Two columns/)
})

test.each([
  ['My People (1).csv', 'my_people_1'],
  ['.csv', 'imported'],
  ['Größe.tsv', 'größe'],
])('%s becomes %s', (file, name) => {
  expect(tableName(file)).toBe(name)
})

test(
  'a new table has a key, and is valid SQL whatever the file calls its columns',
  { timeout: 60_000 },
  () => {
    const draft = draftOf('people.csv', 'Name,n\nAda,1\n', true, 'new')
    const { statements } = tableFor('public', 'people', draft.columns, undefined)
    expect(statements.join('\n')).toContain('primary key (id)')
    const named = draftOf('x.csv', 'id,b\n1,x\n1,y\n', true, 'new').columns
    expect(likelyKey(named)).toBeUndefined()
    expect(tableFor('public', 'x', named, undefined).statements[0]).toContain(
      'primary key (row_id)',
    )
    expect(likelyKey(draftOf('x.csv', 'id,b\n1,x\n2,y\n', true, 'new').columns)).toBe('id')
    expect(tableFor('public', 'people', draft.columns, 'n').statements[0]).toContain(
      'primary key (n)',
    )
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 30 }), { minLength: 1, maxLength: 5 }),
        (heads) => {
          const columns = columnNames(heads).map((into) => ({
            head: into,
            examples: [],
            into,
            type: 'text',
          }))
          const change = tableFor(
            'a"b',
            "'; drop table x; --",
            columns,
            columns[0]?.into ?? undefined,
          )
          for (const sql of change.statements) expect(parseSync(sql).stmts).toHaveLength(1)
        },
      ),
      { numRuns: 1000 },
    )
  },
)
