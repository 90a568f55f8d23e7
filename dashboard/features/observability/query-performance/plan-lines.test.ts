import { expect, test } from 'vitest'
import { planLines } from './plan-lines.ts'

const scan = {
  'Node Type': 'Index Scan',
  'Relation Name': 'orders',
  'Index Name': 'orders_pkey',
  'Index Cond': '(id = $1)',
  'Total Cost': 8,
  'Plan Rows': 1,
}

test('a plan from the outside in, each step with its own part of the cost', () => {
  const lines = planLines({
    'Node Type': 'Nested Loop',
    'Total Cost': 20,
    'Plan Rows': 3,
    Plans: [scan, { ...scan, 'Total Cost': 2 }],
  })
  expect(lines.map(({ key, depth, cost, share }) => [key, depth, cost, share])).toEqual([
    ['0', 0, 10, 0.5],
    ['0.0', 1, 8, 0.4],
    ['0.1', 1, 2, 0.1],
  ])
  expect(lines[1]).toMatchObject({
    what: 'Index Scan using orders_pkey on orders',
    detail: '(id = $1)',
  })
})

test('a limit that is cheaper than what it stands on costs nothing itself', () => {
  const [limit] = planLines({ 'Node Type': 'Limit', 'Total Cost': 1, Plans: [scan] })
  expect(limit?.cost).toBe(0)
})

test('what is no plan has no lines', () => {
  expect(planLines(undefined)).toEqual([])
  expect(planLines('Seq Scan')).toEqual([])
})
