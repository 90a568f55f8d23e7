import { expect, test } from 'vitest'
import { timeOf } from './time-of.ts'

test.each([
  [0, 'no limit'],
  [1, '1 second'],
  [90, '1 minute 30 seconds'],
  [3600, '1 hour'],
  [93_784, '1 day 2 hours'],
])('%i seconds are %s', (seconds, words) => expect(timeOf(seconds)).toBe(words))
