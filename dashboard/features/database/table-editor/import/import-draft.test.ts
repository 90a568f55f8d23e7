import fc from 'fast-check'
import { loadModule, parseSync } from 'libpg-query'
import { beforeAll, expect, test } from 'vitest'
import {
  columnNames,
  columnsOf,
  draftOf,
  draftProblem,
  guessDelimiter,
  guessHeader,
  guessType,
  likelyKey,
  matchColumns,
  tableFor,
  tableName,
} from './import-draft.ts'

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

test.each([
  ['bool', ['true', 'F']],
  ['int8', ['1', '-20', '']],
  ['numeric', ['1', '2.50']],
  ['float8', ['1e5', '2.5']],
  ['text', ['00123', '12345']],
  ['text', ['12345678901234567890x']],
  ['numeric', ['12345678901234567890']],
  ['uuid', ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']],
  ['date', ['2026-01-31']],
  ['timestamptz', ['2026-01-31T10:00:00Z', '2026-01-31 10:00+02']],
  ['timestamp', ['2026-01-31 10:00']],
  ['jsonb', ['{"a": 1}', '[]']],
  ['text', ['{a}']],
  ['text', ['=1+1']],
  ['text', []],
])('%s is guessed from %j', (type, values) => {
  expect(guessType(values)).toBe(type)
})

test('the sign between values is guessed from outside of quotes', () => {
  expect(guessDelimiter('a;b;c\n1,2;3')).toBe(';')
  expect(guessDelimiter('"a,b,c"\td')).toBe('\t')
  expect(guessDelimiter('alone')).toBe(',')
})

test('a head is told from values', () => {
  expect(guessHeader([['id', 'name']])).toBe(true)
  expect(guessHeader([['1', 'name']])).toBe(false)
  expect(guessHeader([['a', 'a']])).toBe(false)
})

test('columns find each other by name, each once', () => {
  expect(matchColumns(['ID', 'First Name', 'x', 'id'], ['id', 'first_name', 'y'])).toEqual([
    null,
    'first_name',
    null,
    'id',
  ])
  expect(matchColumns(['Id', 'ID'], ['id'])).toEqual(['id', null])
})

test('a new table gets names that Postgres takes, whatever the file calls its columns', () => {
  expect(columnNames(['a', '', 'a', ' b '])).toEqual(['a', 'column_2', 'a_2', 'b'])
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary', maxLength: 80 }), { maxLength: 8 }),
      (heads) => {
        const names = columnNames(heads)
        expect(new Set(names).size).toBe(heads.length)
        for (const name of names) {
          const { length } = new TextEncoder().encode(name)
          expect(length > 0 && length <= 63 && !name.includes('\0')).toBe(true)
        }
      },
    ),
    { numRuns: 1000 },
  )
})
