import { expect, test } from 'vitest'
import { draftColumn, draftTable, isExpression, newTableOf, problemsOf } from './new-table.ts'

test.each([
  'now()',
  'gen_random_uuid()',
  "nextval('s')",
  "'{}'::jsonb",
  "'quoted'",
  'current_date',
  "array['a']",
  '(1 + 2)',
  'NULL',
  '1::int8',
])('%s is SQL', (text) => expect(isExpression(text)).toBe(true))
test.each(['hello', '0', '-1.5', 'true', 'two words', "it's", 'a (b) c'])('%s is a value', (text) =>
  expect(isExpression(text)).toBe(false),
)

test('a table starts secured, with a key and a time', () => {
  const table = { ...draftTable(), name: ' orders ' }
  expect(newTableOf('shop', table)).toEqual({
    schema: 'shop',
    name: 'orders',
    rls_enabled: true,
    columns: [
      {
        name: 'id',
        type: 'int8',
        is_primary_key: true,
        is_nullable: false,
        is_unique: false,
        is_identity: true,
      },
      {
        name: 'created_at',
        type: 'timestamptz',
        is_primary_key: false,
        is_nullable: false,
        is_unique: false,
        is_identity: false,
        default_value: 'now()',
        default_value_format: 'expression',
      },
    ],
  })
})

test('an identity is only for whole numbers, and excludes a default', () => {
  const column = draftColumn({ name: 'a', type: 'text', is_identity: true, default_value: 'x' })
  const [made] = newTableOf('s', { ...draftTable(), columns: [column] }).columns ?? []
  expect(made).toMatchObject({
    is_identity: false,
    default_value: 'x',
    default_value_format: 'literal',
  })
})

test('missing and doubled names are told where they are', () => {
  const columns = [draftColumn({ name: 'a' }), draftColumn({ name: ' a ' }), draftColumn()]
  const problems = problemsOf({ name: ' ', comment: '', secured: true, columns })
  expect(Object.keys(problems)).toEqual(['name', columns[1]?.id, columns[2]?.id])
  expect(problemsOf({ ...draftTable(), name: 'a' })).toEqual({})
})
