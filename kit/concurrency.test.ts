import { expect, test } from 'vitest'
import { createLimiter, createMutex, perKey } from './concurrency.ts'

const full = () => new Error('full')

/** Work that begins and ends when it is told to. */
function works() {
  const ends: (() => void)[] = []
  const begun: unknown[] = []
  const work = (id: unknown) => () => {
    begun.push(id)
    return new Promise((done) => ends.push(() => done(id)))
  }
  return { work, begun, ends }
}

test('a limiter runs a few at a time, the others in their order, and no more than may be queued', async () => {
  const limiter = createLimiter({ concurrency: 2, maxQueued: 1, full })
  const { work, begun, ends } = works()
  const [first, , third] = [limiter(work(1)), limiter(work(2)), limiter(work(3))]
  await expect(limiter(work(4))).rejects.toThrow('full')
  expect(begun).toEqual([1, 2])
  ends[0]?.()
  expect(await first).toBe(1)
  await expect.poll(() => begun).toEqual([1, 2, 3])
  ends[2]?.()
  expect(await third).toBe(3)
})

test('work that fails gives its place back', async () => {
  const limiter = createLimiter({ concurrency: 1, maxQueued: 1, full })
  await expect(limiter(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await limiter(() => Promise.resolve('next'))).toBe('next')
})

test('a mutex runs one after the other, whatever became of the one before', async () => {
  const mutex = createMutex()
  const { work, begun, ends } = works()
  const [first, second] = [mutex(() => Promise.reject(new Error('failed'))), mutex(work('second'))]
  void mutex(work('third'))
  await expect(first).rejects.toThrow('failed')
  await expect.poll(() => begun).toEqual(['second'])
  ends[0]?.()
  await second
  await expect.poll(() => begun).toEqual(['second', 'third'])
})

test('each key has its own, for as long as it is used', async () => {
  let made = 0
  const byKey = perKey(() => {
    made += 1
    return createMutex()
  })
  const { work, begun, ends } = works()
  const all = [byKey('a', work('a1')), byKey('a', work('a2')), byKey('b', work('b1'))]
  await expect.poll(() => begun).toEqual(['a1', 'b1'])
  expect(made).toBe(2)
  ends[0]?.()
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2'])
  for (const end of ends) end()
  await Promise.all(all)
  await byKey('a', async () => undefined)
  expect(made).toBe(3)
})
