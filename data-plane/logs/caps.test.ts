import { afterEach, expect, it, vi } from 'vitest'
import type { LostEvents } from '#contract/observability/logs'
import { createCaps } from './caps.ts'

const second = 1_000_000

afterEach(() => vi.useRealTimers())

function capped() {
  vi.useFakeTimers()
  let time = 1000 * second
  const lost: LostEvents[] = []
  const caps = createCaps({
    lose: (_, what) => lost.push(what),
    now: () => time,
    perSecond: 10,
    burst: 100,
  })
  const write = (level: 'info' | 'error', count: number) =>
    Array.from({ length: count }, () => caps.allows('a', level, time)).filter(Boolean).length
  const pass = (seconds: number) => {
    for (let n = 0; n < seconds; n++) {
      time += second
      vi.advanceTimersByTime(1000)
    }
  }
  return { caps, lost, write, pass }
}

it('lets a burst through, and keeps its last tenth for warnings and errors', () => {
  const { write } = capped()
  expect(write('info', 200)).toBe(90)
  expect(write('error', 200)).toBe(10)
})

it('lets as many through each second as a project may write', () => {
  const { write, pass } = capped()
  write('error', 100)
  pass(3)
  expect(write('error', 100)).toBe(30)
})

it('does not give more to who writes slowly for long', () => {
  const { write, pass } = capped()
  let written = 0
  for (let n = 0; n < 60; n++) {
    written += write('error', 40)
    pass(1)
  }
  expect(written).toBeLessThanOrEqual(100 + 60 * 10)
})

it('tells of each loss once, with its time and its number', () => {
  const { caps, lost, write, pass } = capped()
  write('error', 150)
  pass(1)
  expect(lost).toEqual([{ from: 1000 * second, to: 1000 * second, count: 50, reason: 'rate' }])
  pass(20)
  expect(lost).toHaveLength(1)
  write('error', 101)
  caps.close()
  expect(lost).toHaveLength(2)
})
