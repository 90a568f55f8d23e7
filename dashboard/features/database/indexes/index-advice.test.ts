import { describe, expect, test } from 'vitest'
import type { Index } from '#contract/database/database-object-shapes'
import type { IndexAdvice, Statement } from '#contract/observability/query-performance'
import { indexMarks, mayGain, shareOf, withAdvice } from './index-advice.ts'

let ids = 0
const index = (name: string, keys: number[], more: Partial<Index> = {}): Index => ({
  id: (ids += 1),
  table_id: 1,
  schema: 'public',
  table: 'books',
  name,
  number_of_attributes: keys.length,
  number_of_key_attributes: keys.length,
  is_unique: false,
  is_primary: false,
  is_exclusion: false,
  is_immediate: true,
  is_clustered: false,
  is_valid: true,
  check_xmin: false,
  is_ready: true,
  is_live: true,
  is_replica_identity: false,
  key_attributes: keys,
  collation: keys.map(() => 0),
  class: keys.map(() => 1978),
  options: keys.map(() => 0),
  index_predicate: null,
  comment: null,
  index_definition: `CREATE INDEX ${name} ON public.books USING btree (${keys.join(', ')})`,
  access_method: 'btree',
  index_attributes: [],
  bytes: 1_000_000,
  size: '1 MB',
  scans: 5,
  last_scan: null,
  constraint: null,
  ...more,
})
const marksOf = (...indexes: Index[]) => {
  const marks = indexMarks(indexes)
  return Object.fromEntries(indexes.map(({ id, name }) => [name, marks.get(id) ?? []]))
}

test('of two that are alike the newer one is marked', () => {
  expect(marksOf(index('a', [1]), index('b', [1]))).toEqual({
    a: [],
    b: [{ kind: 'duplicate', of: 'a' }],
  })
})

test('what a constraint stands on is never the one to go', () => {
  const plain = index('plain', [1])
  const key = index('key', [1], { is_unique: true, constraint: 'key' })
  expect(marksOf(plain, key)).toEqual({ plain: [{ kind: 'duplicate', of: 'key' }], key: [] })
})

test('an index that another one begins with is covered, unless order or filter differ', () => {
  const short = index('short', [1])
  expect(marksOf(short, index('long', [1, 2]))['short']).toEqual([{ kind: 'covered', by: 'long' }])
  expect(marksOf(short, index('other', [2, 1]))['short']).toEqual([])
  expect(marksOf(short, index('back', [1, 2], { options: [3, 0] }))['short']).toEqual([])
  expect(marksOf(short, index('part', [1, 2], { index_predicate: 'x' }))['short']).toEqual([])
  expect(marksOf(short, index('elsewhere', [1, 2], { table_id: 2 }))['short']).toEqual([])
  expect(marksOf(short, index('broken', [1, 2], { is_valid: false }))['short']).toEqual([])
  const unique = index('unique', [1], { is_unique: true })
  expect(marksOf(unique, index('long', [1, 2]))['unique']).toEqual([])
})

test('unused is said of what weighs something and holds nothing up', () => {
  const never = { scans: 0 }
  expect(marksOf(index('a', [1], never))['a']).toEqual([{ kind: 'unused' }])
  expect(marksOf(index('tiny', [1], { ...never, bytes: 8192 }))['tiny']).toEqual([])
  expect(marksOf(index('pk', [1], { ...never, constraint: 'pk' }))['pk']).toEqual([])
})

test('what a failed build has left is invalid', () => {
  expect(marksOf(index('a', [1], { is_valid: false }))['a']).toEqual([{ kind: 'invalid' }])
})

describe('advised', () => {
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
})
