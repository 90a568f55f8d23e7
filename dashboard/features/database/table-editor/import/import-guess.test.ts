import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  columnNames,
  guessDelimiter,
  guessHeader,
  guessType,
  matchColumns,
} from './import-guess.ts'

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
