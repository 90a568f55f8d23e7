import { expect, test } from 'vitest'
import { foreignColumns } from './foreign-columns.ts'

test('a line is a name and a type', () => {
  expect(
    foreignColumns('id int8\n\n  "First ""name""" varchar(20),\nat timestamp(3) with time zone'),
  ).toEqual([
    { name: 'id', type: 'int8' },
    { name: 'First "name"', type: 'varchar(20)' },
    { name: 'at', type: 'timestamp(3) with time zone' },
  ])
  expect(
    foreignColumns('tags text[]\nprice numeric(10, 2)\nx app."My type"\nd double precision'),
  ).toHaveLength(4)
})

test.each(['', 'id', 'id int8); drop table books; --', 'id int8 default now()', 'id "open'])(
  '%s is none',
  (text) => {
    expect(foreignColumns(text)).toBeUndefined()
  },
)
