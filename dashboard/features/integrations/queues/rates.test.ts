import { expect, test } from 'vitest'
import { perMinute, withSample, type Samples } from './rates.ts'

const sampled = (...said: [at: number, sent: string | null][]): Samples =>
  said.reduce<Samples>((all, [at, sent]) => withSample(all, at * 1000, [{ name: 'a', sent }]), {})

test.each([
  ['nothing was said', [], undefined],
  ['there is one figure', [[0, '5']], undefined],
  [
    'too little time has passed',
    [
      [0, '5'],
      [3, '9'],
    ],
    undefined,
  ],
  [
    'the figure cannot be read',
    [
      [0, null],
      [30, null],
    ],
    undefined,
  ],
  [
    'nothing was sent',
    [
      [0, '5'],
      [30, '5'],
    ],
    0,
  ],
  [
    'ten were sent in half a minute',
    [
      [0, '5'],
      [30, '15'],
    ],
    20,
  ],
  [
    'it was dropped and created again',
    [
      [0, '500'],
      [30, '1'],
      [60, '3'],
    ],
    4,
  ],
  [
    'what was long ago does not count',
    [
      [0, '0'],
      [200, '5000'],
      [320, '5002'],
    ],
    1,
  ],
] as [string, [number, string | null][], number | undefined][])('a rate: %s', (_, said, rate) => {
  expect(perMinute(sampled(...said), 'a')).toBe(rate)
  expect(perMinute(sampled(...said), 'constructor')).toBeUndefined()
})
