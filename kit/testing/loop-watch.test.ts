import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ownMs, watchLoop } from './loop-watch.ts'

function workFor(ms: number): void {
  const end = ownMs() + ms
  while (ownMs() < end) JSON.parse('[1]')
}

test('work that holds the loop is told from work in turns, and from waiting', async () => {
  const loop = watchLoop()
  const { held } = await loop.during(async () => workFor(80))
  expect(held).toBeGreaterThan(60)
  // Garbage of tests before may be collected in one of them, and not in the next.
  const least = async (work: () => Promise<void>) => {
    const send = () => work().then(() => ({ status: 200 }))
    return (await loop.duringRequest(send, 40)).held
  }
  const inTurns = await least(async () => {
    for (let i = 0; i < 40; i++) {
      workFor(2)
      await turn()
    }
  })
  expect(inTurns).toBeLessThan(40)
  expect(await least(() => delay(80))).toBeLessThan(40)
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
