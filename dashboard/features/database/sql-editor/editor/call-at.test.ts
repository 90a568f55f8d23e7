import { expect, test } from 'vitest'
import { argumentsOf, callAt } from './call-at.ts'

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
