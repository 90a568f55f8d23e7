import { expect, test } from 'vitest'
import { fleetSize } from './options.ts'

test('two control planes and three data planes unless told', () => {
  expect(fleetSize([])).toEqual({ control: 2, data: 3 })
  expect(fleetSize(['--control', '1', '--data=16'])).toEqual({ control: 1, data: 16 })
})

test.each([
  [['--control', '0'], '--control: must be a number from 1 to 16'],
  [['--data', '17'], '--data: must be a number from 1 to 16'],
  [['--data', 'three'], '--data: must be a number from 1 to 16'],
  [['--data', '1.5'], '--data: must be a number from 1 to 16'],
  [['--planes', '2'], '--planes'],
  [['more'], 'more'],
])('%j is refused', (args, words) => {
  expect(() => fleetSize(args)).toThrow(words)
})
