import { expect, test } from 'vitest'
import { matching, nextOption, type Option } from './options.ts'

const option = (value: string, label: string, disabledReason?: string): Option => ({
  value,
  label,
  disabledReason,
})
const regions = [
  { ...option('eu-central-1', 'Frankfurt'), detail: 'eu-central-1' },
  option('eu-west-1', 'Ireland'),
  option('us-east-1', 'North Virginia'),
]

test('every word has to match, in any part and order', () => {
  expect(matching(regions, 'EU').map((o) => o.value)).toEqual(['eu-central-1', 'eu-west-1'])
  expect(matching(regions, '1 frank').map((o) => o.value)).toEqual(['eu-central-1'])
  expect(matching(regions, 'nowhere')).toEqual([])
  expect(matching(regions, '  ')).toHaveLength(3)
})

test('the arrows go round and pass over what cannot be chosen', () => {
  const options = [option('a', 'A'), option('b', 'B', 'no'), option('c', 'C')]
  expect(nextOption(options, 0, 1)).toBe(2)
  expect(nextOption(options, 2, 1)).toBe(0)
  expect(nextOption(options, 0, -1)).toBe(2)
  expect(nextOption(options, -1, 1)).toBe(0)
  expect(nextOption(options, 3, -1)).toBe(2)
})

test('with nothing to choose there is no next', () => {
  expect(nextOption([], 0, 1)).toBe(-1)
  expect(nextOption([option('a', 'A', 'no')], 0, 1)).toBe(-1)
})
