import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextSort, parseSort, readSearch, searchOf, viewOf, writeSort } from './search.ts'

test('orders survive the address', () => {
  const sort = fc.record({
    column: fc.string({ minLength: 1 }),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  })
  fc.assert(
    fc.property(sort, (one) => {
      expect(parseSort(writeSort(one))).toEqual(one)
    }),
  )
})

test('the address is read with care', () => {
  const columns = [{ name: 'id' }, { name: 'note' }]
  const search = readSearch({
    filter: ['id:>=:3', 'gone:=:1', 7],
    sort: 'note:desc',
    limit: '500',
    page: 'x',
  })
  expect(viewOf(search, columns)).toEqual({
    filters: [{ column: 'id', operator: '>=', value: '3' }],
    sort: [{ column: 'note', direction: 'desc' }],
    limit: 500,
    cursor: undefined,
    page: 1,
    end: false,
  })
  expect(viewOf({ limit: '7', page: '3' }, columns)).toMatchObject({ limit: 100, page: 3 })
})

test('another view starts at its first page', () => {
  const view = viewOf({ sort: ['id:asc'], cursor: 'abc', page: '4' }, [{ name: 'id' }])
  expect(searchOf(view)).toEqual({ sort: ['id:asc'] })
})

test('a head is clicked through ascending, descending and none', () => {
  const once = nextSort([], 'id')
  const twice = nextSort(once, 'id')
  expect([once, twice, nextSort(twice, 'id')]).toEqual([
    [{ column: 'id', direction: 'asc' }],
    [{ column: 'id', direction: 'desc' }],
    [],
  ])
  expect(nextSort(twice, 'note')).toEqual([{ column: 'note', direction: 'asc' }])
})

test('with Shift a column joins those that the rows are sorted by already', () => {
  const one = nextSort([], 'id', true)
  const two = nextSort(one, 'note', true)
  expect(two.map(writeSort)).toEqual(['id:asc', 'note:asc'])
  expect(nextSort(two, 'id', true).map(writeSort)).toEqual(['id:desc', 'note:asc'])
  expect(nextSort(nextSort(two, 'id', true), 'id', true).map(writeSort)).toEqual(['note:asc'])
  expect(nextSort(two, 'id').map(writeSort)).toEqual(['id:desc'])
})

test('groups of conditions survive the address, and a column that is gone takes no group along', () => {
  const columns = [{ name: 'id' }, { name: 'a:=:b' }]
  const view = viewOf(
    readSearch({ filter: ['gone:=:1', 'id:=:2', 'a:=:b:>:3', 'id:<:4'], or: ['1', '3'] }),
    columns,
  )
  expect(view.filters).toEqual([
    { column: 'id', operator: '=', value: '2' },
    { column: 'a:=:b', operator: '>', value: '3' },
    { column: 'id', operator: '<', value: '4', or: true },
  ])
  const search = searchOf(view)
  expect(search.or).toEqual(['2'])
  expect(viewOf(search, columns).filters).toEqual(view.filters)
  expect(viewOf(readSearch({ end: 'true' }), columns).end).toBe(true)
})
