import { expect, test } from 'vitest'
import { costOf, totalText } from './cost.ts'

test('compute by the hour, and a disk that the plan includes', () => {
  const lines = costOf('pro', 'small', 8)
  expect(lines).toEqual([
    { name: 'Compute', what: 'Small, 1 GB, 2-core CPU', price: '$0.0206 an hour', month: 1500 },
    { name: 'Disk', what: '8 GB', price: 'Included', month: 0 },
  ])
  expect(totalText(lines)).toBe('$15.00')
})

test('what a disk has above the plan is paid by the GB', () => {
  const lines = costOf('team', 'micro', 28)
  expect(lines[1]).toEqual({
    name: 'Disk',
    what: '28 GB',
    price: '$0.125 a GB above 8 GB',
    month: 250,
  })
  expect(totalText(lines)).toBe('$12.50')
})

test('a project that was made on Free is paid as Micro in a paid organization', () => {
  expect(costOf('pro', 'nano', 8)[0]).toMatchObject({ price: '$0.01344 an hour', month: 1000 })
  expect(totalText(costOf('free', 'nano', 8))).toBe('$0.00')
})

test('a disk without a bound costs nothing beside', () => {
  expect(costOf('enterprise', 'large', 500)[1]).toMatchObject({ price: 'Included', month: 0 })
})
