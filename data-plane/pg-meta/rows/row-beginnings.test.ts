import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberRanges, uuidRange } from './row-beginnings.ts'

const max = 2_147_483_647n

test.each([
  ['', []],
  ['x', []],
  ['1.5', []],
  ['007', []],
  ['0', [['0', '0']]],
  ['99999999999', []],
  [
    '21474836',
    [
      ['21474836', '21474836'],
      ['214748360', '214748369'],
      ['2147483600', '2147483647'],
    ],
  ],
  [
    '-2147483',
    [
      ['-2147483', '-2147483'],
      ['-21474839', '-21474830'],
      ['-214748399', '-214748300'],
      ['-2147483647', '-2147483000'],
    ],
  ],
])('numbers that begin with %j', (typed, ranges) => {
  expect(numberRanges(typed, max)).toEqual(ranges)
})

test('a number lies in the ranges exactly when its digits begin so', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 99_999 }),
      fc.integer({ min: 0, max: 2_147_483_647 }),
      (typed, number) => {
        const inside = numberRanges(String(typed), max).some(
          ([low, high]) => number >= Number(low) && number <= Number(high),
        )
        expect(inside).toBe(String(number).startsWith(String(typed)))
      },
    ),
    { numRuns: 1000 },
  )
})

test('a UUID is found by its first digits, however they are grouped', () => {
  expect(uuidRange('0Ab1-')).toEqual([[`0ab1${'0'.repeat(28)}`, `0ab1${'f'.repeat(28)}`]])
  expect(uuidRange('0'.repeat(33))).toEqual([])
  expect(uuidRange('title')).toEqual([])
})
