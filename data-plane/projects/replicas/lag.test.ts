import { expect, test } from 'vitest'
import { Lag } from './lag.ts'

test('nobody knows how old a replica is before it has reached a place that the primary named', () => {
  const lag = new Lag(10_000)
  expect(lag.behindMs(0)).toBe(Infinity)
  lag.replayed(5n)
  expect(lag.behindMs(0)).toBe(Infinity)
  lag.mark(100, 7n)
  lag.replayed(6n)
  expect(lag.behindMs(100)).toBe(Infinity)
  lag.replayed(7n)
  expect(lag.behindMs(100)).toBe(0)
  expect(lag.behindMs(350)).toBe(250)
})

test('it is as old as the last place that it has reached, whichever it is asked for first', () => {
  const lag = new Lag(10_000)
  lag.mark(100, 10n)
  lag.mark(200, 20n)
  lag.mark(300, 30n)
  lag.replayed(25n)
  expect(lag.behindMs(300)).toBe(100)
  lag.replayed(10n)
  expect(lag.behindMs(300)).toBe(100)
  lag.replayed(30n)
  expect(lag.behindMs(300)).toBe(0)
})

test('one that stands still gets older, and places that are too old are forgotten', () => {
  const lag = new Lag(1000)
  lag.mark(0, 10n)
  for (let at = 500; at <= 5000; at += 500) lag.mark(at, 20n + BigInt(at))
  lag.replayed(10n)
  expect(lag.behindMs(5000)).toBe(Infinity)
  lag.replayed(20n + 4000n)
  expect(lag.behindMs(5000)).toBe(1000)
})
