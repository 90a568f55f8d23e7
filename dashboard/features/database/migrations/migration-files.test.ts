import { expect, test } from 'vitest'
import type { Migration } from '#contract/database/migrations'
import { planOf, readFileName, momentOf } from './migration-files.ts'

test('a version that is a moment is told as one, others are only numbers', () => {
  expect(momentOf('20260131235959')).toBe('2026-01-31T23:59:59Z')
  expect(momentOf('20261331235959')).toBeUndefined()
  expect(momentOf('0001')).toBeUndefined()
})

const recorded = (version: string, ...statements: string[]): Migration => ({
  version,
  name: null,
  statements,
  rollback: null,
  created_by: null,
})

test.each([
  ['20260131235959_add_books.sql', { version: '20260131235959', name: 'add_books' }],
  ['0001.sql', { version: '0001', name: '' }],
  ['12_a.up.SQL', { version: '12', name: 'a.up' }],
  ['add_books.sql', undefined],
  ['20260131_books.txt', undefined],
  ['1_a/b.sql', undefined],
])('%s', (file, read) => expect(readFileName(file)).toEqual(read))

test('files apply in the order of their versions, and what is applied is told apart', () => {
  const files = [
    { file: '20260301000000_new.sql', sql: 'create table c ();' },
    { file: '20260101000000_same.sql', sql: 'create table a ();\n-- said\ncreate table b ()' },
    { file: '20260102000000_changed.sql', sql: 'create table other ()' },
    { file: '20260103000000_missed.sql', sql: 'select 1' },
    { file: '20260104000000_unknown.sql', sql: 'select 1' },
    { file: '20260301000000_twice.sql', sql: 'select 1' },
    { file: '20260401000000_empty.sql', sql: '-- later' },
    { file: 'readme.sql', sql: 'select 1' },
  ]
  const there = [
    recorded('20260101000000', 'create table a ()', 'create  table b ()'),
    recorded('20260102000000', 'create table b ()'),
    recorded('20260104000000'),
    recorded('20260201000000', 'select 2'),
  ]
  expect(planOf(files, there).map(({ file, state }) => [file.slice(0, 14), state])).toEqual([
    ['20260101000000', 'applied'],
    ['20260102000000', 'different'],
    ['20260103000000', 'older'],
    ['20260104000000', 'applied'],
    ['20260301000000', 'new'],
    ['20260301000000', 'twice'],
    ['20260401000000', 'empty'],
    ['readme.sql', 'unnamed'],
  ])
})
