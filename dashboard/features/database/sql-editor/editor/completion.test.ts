import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  argumentsOf,
  callAt,
  nameInSql,
  qualifierBefore,
  sourcesIn,
  suggestionsAt,
  type Relation,
} from './completion.ts'

const columns = (...names: string[]) => names.map((name) => ({ name, type: 'text' }))
const relations: Relation[] = [
  { schema: 'public', name: 'orders', columns: columns('id', 'customer_id') },
  { schema: 'public', name: 'customers', columns: columns('id', 'Email') },
  { schema: 'shop', name: 'orders', columns: columns('sku') },
]
const reserved = new Set(['select', 'order'])
const labels = (statement: string, before = statement) =>
  suggestionsAt({ statement, before }, relations, reserved).map(({ insert }) => insert)

test('tables and the names they go by', () => {
  expect(
    sourcesIn(
      'select * from orders o, "My Table" as m join shop.orders on true where o.id = 1 update x set',
    ),
  ).toEqual([
    { table: 'orders', alias: 'o' },
    { table: 'My Table', alias: 'm' },
    { schema: 'shop', table: 'orders', alias: 'orders' },
    { table: 'x', alias: 'x' },
  ])
})

test('behind an alias come its columns only, quoted where they must be', () => {
  expect(labels('select c. from customers c', 'select c.')).toEqual(['id', '"Email"'])
  expect(labels('select c.e from customers c', 'select c.e')).toEqual(['id', '"Email"'])
})

test('behind a schema come its tables', () => {
  expect(labels('select * from shop.')).toEqual(['orders'])
  expect(labels('select * from shop.orders s where s.')).toEqual(['sku'])
})

test("elsewhere the statement's columns come first, then tables that need no schema as such", () => {
  expect(labels('select  from orders', 'select ')).toEqual([
    'id',
    'customer_id',
    'orders',
    'customers',
    'shop.orders',
    'public',
    'shop',
  ])
})

test('a table that was never read is no alias', () => {
  expect(qualifierBefore('select 1')).toBeUndefined()
  expect(qualifierBefore('select "O" . cu')).toBe('O')
  expect(labels('select zz.')).toEqual([])
})

test('a name is written so that it means itself', () => {
  expect(['a1', 'Order', 'order', 'a"b'].map((name) => nameInSql(name, reserved))).toEqual([
    'a1',
    '"Order"',
    '"order"',
    '"a""b"',
  ])
})

test('never fails, whatever is typed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(Array.isArray(labels(`select * from ${text}`))).toBe(true)
    }),
  )
})

test.each([
  ['select round(', { name: 'round', argument: 0 }],
  ['select round(price, ', { name: 'round', argument: 1 }],
  ["select f('a, b (', array[1, 2], ", { name: 'f', argument: 2 }],
  ['select f(g(1, 2), ', { name: 'f', argument: 1 }],
  ['select f(1, g(', { name: 'g', argument: 0 }],
  ['select "Odd ""name"(1, ', { name: 'Odd "name', argument: 1 }],
  ['select public.f(1', { name: 'f', argument: 0 }],
  ['select f(1)', undefined],
  ['select f(1; select ', undefined],
  ['insert into t values (1, ', undefined],
  ['select * from t where x in (1, ', undefined],
  ['select -- f(\n', undefined],
  ['', undefined],
])('%s', (before, call) => {
  expect(callAt(before)).toEqual(call)
})

test('arguments are divided where the list is, and nowhere else', () => {
  expect(argumentsOf("a numeric(10,2), b text DEFAULT 'x, y'::text, VARIADIC c int[]")).toEqual([
    'a numeric(10,2)',
    "b text DEFAULT 'x, y'::text",
    'VARIADIC c int[]',
  ])
  expect(argumentsOf('')).toEqual([])
})
