import { expect, test } from 'vitest'
import { usualBackOff, waitAfter } from './back-off.ts'

const [least, most] = [() => 0, () => 1]

test('waits double from a second to five minutes, and are spread over their second half', () => {
  const waits = [1, 2, 3, 8, 9, 10, 1000].map((failures) =>
    [least, most].map((random) => waitAfter(failures, 0, usualBackOff, random)),
  )
  expect(waits).toEqual([
    [500, 1000],
    [1000, 2000],
    [2000, 4000],
    [64_000, 128_000],
    [128_000, 256_000],
    [150_000, 300_000],
    [150_000, 300_000],
  ])
})

test('who asks for more time gets it, up to an hour, and never less than there is anyway', () => {
  expect(waitAfter(1, 90_000, usualBackOff, most)).toBe(90_000)
  expect(waitAfter(1, 1e12, usualBackOff, most)).toBe(3_600_000)
  expect(waitAfter(10, 1000, usualBackOff, least)).toBe(150_000)
})
