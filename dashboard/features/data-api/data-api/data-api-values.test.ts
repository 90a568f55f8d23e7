import { expect, test } from 'vitest'
import { changesOf, problemsIn, refusalIn, valuesOf } from './data-api-values.ts'

const settings = {
  db_schema: 'public,graphql_public',
  db_extra_search_path: 'public, extensions',
  max_rows: 1000,
  db_pool: null,
  new_tables: 'private',
  rate_limit: null,
} as const

test('what is shown and not changed is no change', () => {
  expect(changesOf(valuesOf(settings), settings)).toEqual({})
})

test('only what differs is sent', () => {
  const values = {
    ...valuesOf(settings),
    schemas: ['public', 'app'],
    pool: ' 5 ',
    maxRows: '20',
    newTables: 'granted' as const,
    rateLimit: ' 600 ',
  }
  expect(changesOf(values, settings)).toEqual({
    db_schema: 'public, app',
    max_rows: 20,
    db_pool: 5,
    new_tables: 'granted',
    rate_limit: 600,
  })
})

test('switched off is no schema at all; on again it begins as a new project', () => {
  const off = { ...settings, ...changesOf({ ...valuesOf(settings), enabled: false }, settings) }
  expect(off.db_schema).toBe('')
  const values = valuesOf(off)
  expect(values.enabled).toBe(false)
  expect(changesOf(values, off)).toEqual({})
  expect(changesOf({ ...values, enabled: true }, off)).toEqual({
    db_schema: 'public, graphql_public',
  })
})

test('what the server would refuse is said before, by field', () => {
  expect(problemsIn(valuesOf(settings))).toEqual({})
  const wrong = { ...valuesOf(settings), schemas: [], maxRows: '0', pool: 'many', rateLimit: '-1' }
  expect(Object.keys(problemsIn(wrong))).toEqual(['schemas', 'maxRows', 'pool', 'rateLimit'])
  expect(problemsIn({ ...wrong, enabled: false })).not.toHaveProperty('schemas')
})

test('a refusal goes to its field', () => {
  expect(refusalIn('db_schema: there is no schema "x"')).toEqual({
    field: 'schemas',
    text: 'There is no schema "x"',
  })
  expect(refusalIn('The database does not answer')).toEqual({
    text: 'The database does not answer',
  })
})
