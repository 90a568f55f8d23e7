import { expect, test } from 'vitest'
import { durationText, rowsText } from './duration.ts'

test.each([
  [0.01, '0.1 ms'],
  [0.44, '0.4 ms'],
  [1.4, '1 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [59_900, '59.9 s'],
  [59_960, '1 min 0 s'],
  [125_000, '2 min 5 s'],
])('%s ms is %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

test('rows are counted with their word', () => {
  expect([0, 1, 12_000].map(rowsText)).toEqual(['0 rows', '1 row', '12,000 rows'])
})
