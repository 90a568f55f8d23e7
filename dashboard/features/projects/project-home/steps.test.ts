import { expect, test } from 'vitest'
import { doneOf, stepsOf } from './steps.ts'

const nothing = { tables: 0, has_rows: false, policies: 0, keyUsedAt: null }
const done = (facts: Parameters<typeof stepsOf>[0]) =>
  stepsOf(facts)
    .filter((step) => step.done)
    .map(({ id }) => id)

test('a new project has everything before it', () => {
  expect(done(nothing)).toEqual([])
  expect(stepsOf(nothing).map(({ id }) => id)).toEqual(['table', 'row', 'policy', 'key'])
})

test.each([
  [{ tables: 1 }, ['table']],
  [{ has_rows: true }, ['row']],
  [{ policies: 2 }, ['policy']],
  [{ keyUsedAt: '2026-01-01T00:00:00.000Z' }, ['key']],
])('%o ticks %o and nothing else', (fact, ids) => {
  expect(done({ ...nothing, ...fact })).toEqual(ids)
})

test('all of it', () => {
  const all = { tables: 1, has_rows: true, policies: 1, keyUsedAt: '2026-01-01T00:00:00.000Z' }
  expect(doneOf(stepsOf(all))).toBe(4)
})
