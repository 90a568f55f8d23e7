import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { watchLoop } from './loop-watch.ts'

function workFor(ms: number): void {
  const { user } = process.cpuUsage()
  while (process.cpuUsage().user - user < ms * 1000) JSON.parse('[1]')
}

test('work that holds the loop is told from work in turns, and from waiting', async () => {
  const loop = watchLoop()
  const { held } = await loop.during(async () => workFor(80))
  expect(held).toBeGreaterThan(60)
  const inTurns = await loop.during(async () => {
    for (let i = 0; i < 40; i++) {
      workFor(2)
      await turn()
    }
  })
  expect(inTurns.held).toBeLessThan(40)
  expect((await loop.during(() => delay(80))).held).toBeLessThan(40)
  loop.stop()
})

test('what takes too long once and not again is what tests left behind', async () => {
  const loop = watchLoop()
  const times = [80, 0, 80, 80, 80]
  const send = async () => {
    workFor(times.shift() ?? 0)
    return { status: 200 }
  }
  expect((await loop.duringRequest(send, 40)).held).toBeLessThan(40)
  expect((await loop.duringRequest(send, 40)).held).toBeGreaterThan(60)
  loop.stop()
})
