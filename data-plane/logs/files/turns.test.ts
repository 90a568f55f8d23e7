import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

const turns = (running: number, waiting = 100, waitingOfOne = 10) =>
  createTurns({ running, waiting, waitingOfOne, full: () => new Error('full') })

/** Work that ends when it is told to, and says when it begins. */
function work() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const start = (
    inTurn: ReturnType<typeof turns>,
    key: string,
    name: string,
    signal?: AbortSignal,
  ) =>
    inTurn(key, signal, async () => {
      begun.push(name)
      await new Promise<void>((done) => ends.set(name, done))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise((done) => setImmediate(done))
  }
  return { begun, start, end }
}

test('one of a project at a time, a few of all, and whoever asks much waits behind itself', async () => {
  const { begun, start, end } = work()
  const inTurn = turns(2)
  const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => start(inTurn, name[0] ?? '', name))
  await end('')
  expect(begun).toEqual(['a1', 'b1'])
  await end('a1')
  expect(begun).toEqual(['a1', 'b1', 'c1'])
  await end('b1')
  expect(begun.at(-1)).toBe('a2')
  await end('c1')
  await end('a2')
  await end('a3')
  await Promise.all(all)
})

test('more than may wait are refused, of one project and of all', async () => {
  const { start, end } = work()
  const inTurn = turns(1, 3, 2)
  const kept = ['a1', 'a2', 'a3'].map((name) => start(inTurn, 'a', name))
  await expect(start(inTurn, 'a', 'a4')).rejects.toThrow('full')
  kept.push(start(inTurn, 'b', 'b1'))
  await expect(start(inTurn, 'c', 'c1')).rejects.toThrow('full')
  await end('')
  for (const name of ['a1', 'b1', 'a2', 'a3', 'a2', 'b1']) await end(name)
  await Promise.all(kept)
})

test('whoever gives up is not waited for, and takes nobody else along', async () => {
  const { begun, start, end } = work()
  const inTurn = turns(1)
  const gone = new AbortController()
  const first = start(inTurn, 'a', 'a1')
  const second = start(inTurn, 'a', 'a2', gone.signal)
  const third = start(inTurn, 'a', 'a3')
  const failing = expect(second).rejects.toThrow(/Nobody waits/)
  gone.abort()
  await failing
  await end('a1')
  await end('a3')
  await Promise.all([first, third])
  expect(begun).toEqual(['a1', 'a3'])
  await expect(inTurn('a', AbortSignal.abort(), async () => 1)).rejects.toThrow(/abort/)
})
