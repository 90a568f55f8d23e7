import { createServer } from 'node:net'
import { once } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import { ConnectionBudget } from './connection-budget.ts'
import { Pool } from './pool.ts'

afterEach(() => vi.useRealTimers())

test('after a connection that the server broke the next one waits, longer each time, up to a tenth of a second', async () => {
  vi.useFakeTimers()
  const budget = new ConnectionBudget(4)
  const waited = async () => {
    const from = performance.now()
    const place = budget.takeSoon(10_000)
    await vi.advanceTimersByTimeAsync(2000)
    await place
    budget.give()
    return taken - from
  }
  let taken = 0
  const take = budget.take.bind(budget)
  budget.take = () => {
    const got = take()
    if (got) taken = performance.now()
    return got
  }
  expect(await waited()).toBe(0)
  const rests: number[] = []
  for (let i = 0; i < 7; i += 1) {
    budget.broke()
    // What breaks at the same time is one.
    budget.broke()
    rests.push(await waited())
  }
  expect(rests).toEqual([26, 51, 101, 101, 101, 101, 101])
  expect(await waited()).toBe(0)
  await vi.advanceTimersByTimeAsync(10_000)
  budget.broke()
  expect(await waited()).toBe(26)
})

test('who is told that nothing is left while the budget rests ends no idle connection for it', () => {
  const budget = new ConnectionBudget(4)
  const giveIdle = vi.fn(() => true)
  budget.join({ giveIdle })
  budget.broke()
  budget.whenFree(() => undefined)
  expect(giveIdle).not.toHaveBeenCalled()
})

test.each([
  [
    'says what is no message',
    (write: (bytes: string) => void) => write('\u0001\u0002\u0003\u0004\u0005\u0006\u0007'),
  ],
  ['goes at once', (_write: unknown, end: () => void) => end()],
])(
  'a server that %s is not asked without a pause, and whoever waits hears of it',
  async (_name, attack) => {
    let asked = 0
    const server = createServer((socket) => {
      asked += 1
      socket.on('error', () => socket.destroy())
      attack(
        (bytes) => socket.write(bytes),
        () => socket.end(),
      )
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (typeof address !== 'object' || !address) throw new Error('no address')
    const pool = new Pool({
      config: { host: '127.0.0.1', port: address.port, user: 'x', database: 'x', password: 'x' },
      max: 10,
      waitMs: 5000,
      budget: new ConnectionBudget(10),
      onError: () => undefined,
    })
    const until = performance.now() + 1000
    const failures: unknown[] = []
    while (performance.now() < until)
      await Promise.resolve(pool.acquire()).catch((error: unknown) => failures.push(error))
    expect(failures.length).toBeGreaterThan(1)
    expect(asked).toBeLessThan(15)
    await pool.close(0)
    server.close()
  },
)
