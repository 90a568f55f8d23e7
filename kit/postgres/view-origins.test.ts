import { expect, test } from 'vitest'
import { originsIn, tableOrigins, waysToSee } from './view-origins.ts'

const entry = (column: number, table: number, origin: number, expression = '{VAR :varno 1}') =>
  `{TARGETENTRY :expr ${expression} :resno ${column} :resname a\\ \\{b :ressortgroupref 0 :resorigtbl ${table} :resorigcol ${origin} :resjunk false}`
const inner = `{SUBLINK :subselect {QUERY :targetList (${entry(7, 99, 7)})}}`
const rule = (...entries: string[]) =>
  `({QUERY :commandType 1 :rtable ({RTE :subquery {QUERY :targetList (${entry(8, 98, 8)})}}) :targetList (${entries.join(' ')}) :jointree <> :targetList2 5})`

test('only columns of the outermost list that are taken over unchanged have an origin', () => {
  expect(originsIn(rule(entry(1, 16384, 3), entry(2, 0, 0), entry(3, 0, 0, inner)))).toEqual([
    { column: 1, table: 16384, origin: 3 },
  ])
  expect(originsIn('')).toEqual([])
  expect(originsIn('({QUERY :targetList <>})')).toEqual([])
})

test('views over views lead to tables, and a circle ends', () => {
  const views = new Map([
    [1, [{ column: 1, table: 2, origin: 2 }]],
    [2, [{ column: 2, table: 50, origin: 9 }]],
    [3, [{ column: 1, table: 3, origin: 1 }]],
  ])
  expect(tableOrigins(views)).toEqual(
    new Map([
      [2, [{ column: 2, table: 50, origin: 9 }]],
      [1, [{ column: 1, table: 50, origin: 9 }]],
      [3, []],
    ]),
  )
})

test('a column that a view shows twice is seen in two ways; one it does not show in none', () => {
  const origins = [
    { column: 1, table: 5, origin: 1 },
    { column: 2, table: 5, origin: 2 },
    { column: 3, table: 5, origin: 1 },
  ]
  expect(waysToSee(origins, 5, [2, 1])).toEqual([
    [2, 1],
    [2, 3],
  ])
  expect(waysToSee(origins, 5, [1, 4])).toEqual([])
  expect(waysToSee(origins, 6, [1])).toEqual([])
})
