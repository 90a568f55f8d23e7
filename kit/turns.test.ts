import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('a few at a time, the others in their order, and no more than may wait', async () => {
  const inTurn = createTurns({ atOnce: 2, mostWaiting: 1, full: () => new Error('full') })
  const ends: (() => void)[] = []
  const begun: number[] = []
  const run = (id: number) =>
    inTurn(() => {
      begun.push(id)
      return new Promise<number>((done) => ends.push(() => done(id)))
    })
  const [first, , third] = [run(1), run(2), run(3)]
  await expect(run(4)).rejects.toThrow('full')
  expect(begun).toEqual([1, 2])
  ends[0]?.()
  expect(await first).toBe(1)
  await expect.poll(() => begun).toEqual([1, 2, 3])
  ends[2]?.()
  expect(await third).toBe(3)
})

test('work that fails gives its turn back', async () => {
  const inTurn = createTurns({ atOnce: 1, mostWaiting: 1, full: () => new Error('full') })
  await expect(inTurn(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await inTurn(() => Promise.resolve('next'))).toBe('next')
})
