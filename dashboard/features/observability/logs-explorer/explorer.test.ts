import { expect, test } from 'vitest'
import { firstLogSql } from '#contract/observability/log-sql'
import { addressable, explorerParams } from './explorer-params.ts'
import { otherDialect } from './first-query.ts'
import { askedSources, referenceOf, sourcesIn } from './ExplorerBar.tsx'
import { mostRecent, withRecent, type KeptQuery } from './kept-queries.ts'

const query = (sql: string, at: number, dialect: KeptQuery['dialect'] = 'analytics') => ({
  sql,
  dialect,
  at,
})

test('an address can hold anything, and only what is known is read', () => {
  expect(
    explorerParams({ q: 'select 1', dialect: 'analytics', range: '1y', from: 'x', view: 'pie' }),
  ).toEqual({ q: 'select 1' })
})

test('a long query does not go into the address', () => {
  expect(addressable('select 1')).toBe('select 1')
  expect(addressable(`select '${'ü'.repeat(600)}'`)).toBeUndefined()
})

test('a query that runs again moves to the front, and the list has an end', () => {
  const one = withRecent([], query('select 1', 1))
  const two = withRecent(one, query('select 1', 2, 'columns'))
  expect(withRecent(two, query('select 1', 3)).map(({ at }) => at)).toEqual([3, 2])
  expect(withRecent(two, query('  ', 4))).toEqual(two)
  expect(withRecent(two, query('x'.repeat(20_001), 4))).toEqual(two)
  const many = Array.from({ length: 80 }, (_, at) => query(`select ${at}`, at))
  const kept = many.reduce<KeptQuery[]>((before, each) => withRecent(before, each), [])
  expect([kept.length, kept[0]?.sql]).toEqual([mostRecent, 'select 79'])
})

test('sources that a query names are whole words', () => {
  expect(sourcesIn('select * from EDGE_LOGS e, my_auth_logs')).toEqual(['edge_logs'])
  expect(sourcesIn('select 1')).toEqual([])
})

test('the reference has what this installation can tell, as the dialect writes it', () => {
  const older = referenceOf('edge_logs', 'analytics', true)
  expect(older[0]).toEqual({ name: 'timestamp', type: 'timestamp', insert: 'timestamp' })
  expect(older).toContainEqual({
    name: 'metadata.response.status_code',
    type: 'number',
    insert: 'metadata.response.status_code',
  })
  expect(older.some(({ name }) => name.includes('cf.city'))).toBe(false)
  expect(referenceOf('edge_logs', 'columns', true)).toContainEqual({
    name: 'response.status_code',
    type: 'number',
    insert: "log_attributes['response.status_code']",
  })
  expect(referenceOf('edge_logs', 'analytics', false).map(({ name }) => name)).toEqual([
    'timestamp',
    'id',
    'event_message',
    'level',
  ])
  expect(askedSources).not.toContain('pgbouncer_logs')
})

test('another dialect has another beginning, and leaves what somebody has written', () => {
  expect(otherDialect(firstLogSql.analytics, 'columns', null)).toBe(firstLogSql.columns)
  expect(otherDialect(firstLogSql.columns, 'analytics', 'select own')).toBe('select own')
  expect(otherDialect(' ', 'columns', null)).toBe(firstLogSql.columns)
  expect(otherDialect('select mine', 'columns', null)).toBe('select mine')
})
