import { expect, test } from 'vitest'
import type { RunEvent } from '#contract/database/sql/sql-query'
import { reportOf } from './report.ts'

const text = "alter table books\n  add column price int;\nselect 'a', nonsense"
const events = (...more: RunEvent[]): RunEvent[] => [
  { type: 'statement', index: 0, start: 0, end: 40, line: 1, limited_to: null },
  { type: 'done', index: 0, command: 'ALTER', rows: null, ms: 1.26, cut: false },
  { type: 'statement', index: 1, start: 42, end: text.length, line: 3, limited_to: null },
  ...more,
]
const relation = (oid: string, name: string, file = oid, kind = 'r') => ({ oid, name, file, kind })
const before = [
  relation('1', 'public.books'),
  relation('2', 'public.authors'),
  relation('3', 'public.gone'),
  relation('4', 'public.shelf', '4', 'v'),
]

test('the strongest lock of each table of before is told, and what is written anew', () => {
  const found = reportOf({
    text,
    before,
    after: [
      relation('1', 'public.books', '9'),
      relation('2', 'public.authors'),
      relation('7', 'x'),
    ],
    events: events(
      { type: 'done', index: 1, command: 'SELECT', rows: 1, ms: 0.04, cut: false },
      { type: 'statement', index: 2, start: text.length + 3, end: 999, line: 5, limited_to: null },
      {
        type: 'rows',
        index: 2,
        rows: [
          ['1', 'AccessShareLock'],
          ['1', 'AccessExclusiveLock'],
          ['2', 'ShareUpdateExclusiveLock'],
          ['3', 'AccessExclusiveLock'],
          // Of the server, or made meanwhile.
          ['1259', 'AccessShareLock'],
          ['7', 'AccessExclusiveLock'],
          ['1', 'SomethingNew'],
        ],
      },
      { type: 'done', index: 2, command: 'SELECT', rows: 7, ms: 5, cut: false },
    ),
  })
  expect(found).toEqual({
    state: 'passed',
    ms: 1.3,
    statements: [
      { text: 'alter table books\n  add column price int', ms: 1.3 },
      { text: "select 'a', nonsense", ms: 0 },
    ],
    locks: [
      { relation: 'public.books', mode: 'ACCESS EXCLUSIVE' },
      { relation: 'public.gone', mode: 'ACCESS EXCLUSIVE' },
      { relation: 'public.authors', mode: 'SHARE UPDATE EXCLUSIVE' },
    ],
    rewritten: ['public.books'],
    error: null,
  })
})

test('an error is placed in its statement, also where that stands behind another one', () => {
  const error = {
    message: 'column "nonsense" does not exist',
    code: '42703',
    severity: 'ERROR',
    formattedError: '',
    line: 3,
    column: 13,
  }
  const placed = reportOf({
    text,
    before,
    after: before,
    events: events({ type: 'error', index: 1, ms: 2, error }),
  })
  expect(placed).toMatchObject({ state: 'failed', locks: null, rewritten: [] })
  expect(placed.error).toEqual({
    message: 'column "nonsense" does not exist',
    code: '42703',
    hint: null,
    statement: "select 'a', nonsense",
    line: 1,
    column: 13,
  })
  const one = 'select 1; select nonsense'
  const behind = reportOf({
    text: one,
    before,
    after: before,
    events: [
      { type: 'statement', index: 0, start: 0, end: 8, line: 1, limited_to: null },
      { type: 'done', index: 0, command: 'SELECT', rows: 1, ms: 0, cut: false },
      { type: 'statement', index: 1, start: 10, end: one.length, line: 1, limited_to: null },
      { type: 'error', index: 1, ms: 0, error: { ...error, line: 1, column: 18 } },
    ],
  })
  expect(behind.error).toMatchObject({ line: 1, column: 8 })
})

test('what fails when it is committed is of no statement', () => {
  const { error } = reportOf({
    text: 'insert into books values (1)',
    before,
    after: before,
    events: [
      { type: 'statement', index: 0, start: 0, end: 28, line: 1, limited_to: null },
      { type: 'done', index: 0, command: 'INSERT', rows: 1, ms: 1, cut: false },
      { type: 'statement', index: 1, start: 31, end: 99, line: 3, limited_to: null },
      { type: 'done', index: 1, command: 'SELECT', rows: 1, ms: 1, cut: false },
      {
        type: 'error',
        index: 1,
        ms: 1,
        error: { message: 'violates it', code: '23503', severity: 'ERROR', formattedError: '' },
      },
    ],
  })
  expect(error).toMatchObject({ message: 'violates it', statement: null, line: null, column: null })
})
