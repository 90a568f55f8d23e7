import { expect, test } from 'vitest'
import type { LogFilter } from '#contract/observability/logs'
import { PageQuestion } from '#contract/observability/logs'
import { parseSearch, stringifySearch } from '../../../search.ts'
import { scopeOf } from './scope.ts'
import { entryKey, entryOf, filtersOf, filterText, logParams, questionOf } from './question.ts'

const edge = scopeOf('edge_logs')

test.each([
  ['status'],
  ['status:at_least:'],
  ['status:at_least:many'],
  ['status:over:500'],
  ['nothing:is:1'],
  ['parsed.sql_state_code:is:23505'],
  [''],
])('what is no filter of the source is left out: %s', (written) => {
  expect(filtersOf(edge.fields, [written])).toEqual([])
})

const filters: LogFilter[] = [
  { field: 'status', op: 'at_least', values: [500] },
  { field: 'method', op: 'is', values: ['GET', 'POST'] },
  { field: 'path', op: 'contains', values: ['/a,b:c%20ü&x=1'] },
  { field: 'request.headers.referer', op: 'is_not', values: ['https://example.com/?q=1,2'] },
]

test('filters come back from the address as they went in', () => {
  const written = stringifySearch({ filter: filters.map(filterText) })
  expect(filtersOf(edge.fields, logParams(parseSearch(written)).filter)).toEqual(filters)
})

test('what is no encoding stands for itself, and more filters than the server takes are cut', () => {
  expect(filtersOf(edge.fields, ['path:contains:100%'])).toEqual([
    { field: 'path', op: 'contains', values: ['100%'] },
  ])
  const many = Array.from({ length: 40 }, (_, at) => `status:is:${at}`)
  expect(filtersOf(edge.fields, many)).toHaveLength(20)
})

test('an address can hold anything', () => {
  expect(
    logParams({
      q: ['a', 'b'],
      range: '5y',
      from: 'never',
      filter: '',
      log: 'x',
      view: 'all',
      pattern: '1',
    }),
  ).toEqual({})
})

test('the server takes the question of any address', () => {
  const params = logParams(
    parseSearch(`?q=${'x'.repeat(900)}&pattern=true&filter=status:is:500&filter=status:is:x`),
  )
  const fixed: LogFilter[] = [{ field: 'function_id', op: 'is', values: ['f'] }]
  const question = questionOf({ ref: 'abcdefghijklmnopqrst', scope: edge, fixed }, params, {
    from: 0,
    to: 3_600_000,
  })
  expect(PageQuestion.safeParse(question).error).toBeUndefined()
  expect(question).toMatchObject({
    sources: ['edge_logs'],
    from: '1970-01-01T00:00:00.000Z',
    to: '1970-01-01T01:00:00.000Z',
    filters: [...fixed, { field: 'status', op: 'is', values: [500] }],
    is_pattern: true,
  })
})

test('an entry is named by its time and its id, whatever is in that', () => {
  const at = { timestamp: 1_767_873_600_123_456, id: '69a.1f-2.3' }
  expect(entryOf(entryKey(at))).toEqual(at)
  expect(logParams({ log: entryKey(at) })).toEqual({ log: entryKey(at) })
})
