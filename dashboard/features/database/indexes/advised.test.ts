import { expect, test } from 'vitest'
import type { IndexAdvice, Statement } from '#contract/observability/query-performance'
import { mayGain, shareOf, withAdvice } from './advised.ts'

const statement = (query: string, share: number): Statement => ({
  queryid: query,
  query,
  role: 'postgres',
  calls: 1,
  total_time: 1,
  mean_time: 1,
  min_time: 1,
  max_time: 1,
  rows: 1,
  cache_hit: null,
  share,
})
const index = (...columns: string[]): IndexAdvice => ({
  schema: 'public',
  table: 'books',
  columns,
  before: 10,
  after: 1,
  size: 8192,
  untried: null,
})

test('an index that helps several statements is there once, and the one that helps most comes first', () => {
  const slow = statement('slow', 0.25)
  const busy = statement('busy', 0.5)
  let found = withAdvice([], slow, [index('a'), index('b')])
  found = withAdvice(found, busy, [index('b'), index('b', 'a')])
  expect(found.map(({ advice, statements }) => [advice.columns, statements.length])).toEqual([
    [['b'], 2],
    [['b', 'a'], 1],
    [['a'], 1],
  ])
  expect(found.map(shareOf)).toEqual([0.75, 0.5, 0.25])
  expect(withAdvice(found, slow, [])).toEqual(found)
})

test('only what looks for rows is looked at', () => {
  const gaining = (query: string) => mayGain({ query })
  for (const query of [
    'select * from a where b = $1',
    '\n WITH x as (select 1) select 2 order by 1',
    'delete from a using b',
  ])
    expect(gaining(query), query).toBe(true)
  for (const query of [
    'create index on a (b)',
    'select now()',
    'insert into a values ($1)',
    'selection',
  ])
    expect(gaining(query), query).toBe(false)
})
