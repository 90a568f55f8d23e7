import { expect, test } from 'vitest'
import { readPlan } from './plan.ts'

const scan = {
  'Node Type': 'Seq Scan',
  'Relation Name': 'books',
  Schema: 'public',
  Alias: 'b',
  'Startup Cost': 0,
  'Total Cost': 80,
  'Plan Rows': 10,
  'Actual Total Time': 4,
  'Actual Rows': 500,
  'Actual Loops': 2,
  Filter: "(title = 'x')",
  'Rows Removed by Filter': 7,
}
const join = {
  'Node Type': 'Hash Join',
  'Join Type': 'Left',
  'Total Cost': 100,
  'Plan Rows': 10,
  'Actual Total Time': 10,
  'Actual Rows': 10,
  'Actual Loops': 1,
  Plans: [scan, { 'Node Type': 'Index Scan', 'Index Name': 'books_pkey', 'Total Cost': 5 }],
}
const read = (plan: object, more: object = {}) =>
  readPlan(JSON.stringify([{ Plan: plan, ...more }]))

test.each(['', 'null', '[]', '[1]', '{"Plan":{}}', '[{"Plan":[]}]', 'Seq Scan on books'])(
  '%j is no plan',
  (text) => {
    expect(readPlan(text)).toBeUndefined()
  },
)

test('each step has its own part of the time, and the large ones are marked', () => {
  const plan = read(join, { 'Planning Time': 0.5, 'Execution Time': 11 })
  expect(plan).toMatchObject({ planningMs: 0.5, executionMs: 11, cost: 100 })
  expect(plan?.nodes.map(({ type, about, depth }) => [depth, type, about])).toEqual([
    [0, 'Hash Join (Left)', ''],
    [1, 'Seq Scan', 'public.books b'],
    [1, 'Index Scan', 'using books_pkey'],
  ])
  const [top, seq] = plan?.nodes ?? []
  expect(top).toMatchObject({ ms: 10, ownMs: 2, share: 0.2 })
  expect(seq).toMatchObject({ ms: 8, ownMs: 8, share: 0.8, isExpensive: true, misjudged: 50 })
  expect(seq?.details).toEqual([
    ['Filter', "(title = 'x')"],
    ['Rows Removed by Filter', '7'],
  ])
})

test('what only was planned is measured by its cost', () => {
  const { 'Actual Total Time': _, 'Actual Rows': __, 'Actual Loops': ___, ...planned } = scan
  const plan = read({ 'Node Type': 'Limit', 'Total Cost': 100, Plans: [planned] })
  expect(plan?.nodes[1]).toMatchObject({ share: 0.8, isExpensive: true, ms: undefined })
  expect(plan?.nodes[0]).toMatchObject({ ownCost: 20, share: 0.2 })
})

test('children that ran side by side leave nothing negative', () => {
  const worker = { ...scan, 'Actual Loops': 4 }
  const plan = read({
    'Node Type': 'Gather',
    'Total Cost': 90,
    'Actual Total Time': 5,
    'Actual Loops': 1,
    Plans: [worker],
  })
  expect(plan?.nodes[0]).toMatchObject({ ownMs: 0 })
  expect(plan?.nodes[1]).toMatchObject({ share: 1 })
})

test('a statement that writes is called by what it does', () => {
  const plan = read({ 'Node Type': 'ModifyTable', Operation: 'Insert', 'Relation Name': 'a' })
  expect(plan?.nodes[0]).toMatchObject({ type: 'Insert', about: 'a' })
})
