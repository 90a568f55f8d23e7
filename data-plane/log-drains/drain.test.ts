import { expect, test } from 'vitest'
import { createLimiter } from '#kit/concurrency'
import { silentLog } from '#kit/log'
import { createDrain, type DrainTiming } from './drain.ts'
import type { DrainEvent } from './drain-event.ts'
import { createRecord } from './record.ts'
import type { Sent } from './send.ts'

const event = (id: string): DrainEvent => ({
  id,
  timestamp: 1e15,
  source: 'edge_logs',
  level: 'info',
  event_message: '',
  attributes: {},
})
const fine: Sent = { ok: true, status: 200, detail: '200', bytes: 1 }

/** A drain of entries in memory; `asks` has of each step whether it asked for a place of slow ones. */
function open(
  ids: string[],
  send: (ids: string[]) => Promise<Sent>,
  timing: Partial<DrainTiming> = {},
) {
  const left = ids.map(event)
  const asks: boolean[] = []
  const full = () => new Error('Any number may wait')
  const limiter = createLimiter({ concurrency: 1, maxQueued: Infinity, full })
  let fails = 0
  const drain = createDrain({
    token: 'token',
    owner: { kind: 'project', name: 'abcdefghijklmnopqrst' },
    way: {
      destination: {
        request: ({ events }) => ({
          url: events.map(({ id }) => id).join(),
          method: 'POST',
          headers: {},
          body: '',
          gzip: false,
        }),
      },
      gathering: { afterMs: 0, bytes: 1000, entries: 2 },
      supply: {
        async next({ entries }) {
          const some = left.slice(0, entries)
          if (some.length === 0) return undefined
          return {
            entries: some,
            isAll: some.length === left.length,
            async taken(count = some.length) {
              left.splice(0, count)
              if (fails > 0) {
                fails -= 1
                throw new Error('The disk is full')
              }
            },
          }
        },
        waiting: async () => left.length,
      },
    },
    send: ({ url }) => send(url.split(',')),
    placesOf: (isSlow) => {
      asks.push(isSlow)
      return limiter
    },
    record: createRecord({ token: 'token', start: 'start', now: Date.now }),
    onRecord: () => {},
    onDelivered: () => {},
    timing: {
      gatherMs: 1,
      longestWaitMs: 1e15,
      slowMs: 60_000,
      slowForMs: 60_000,
      graceMs: 0,
      backOff: { firstMs: 1, mostMs: 2 },
      ...timing,
    },
    now: Date.now,
    log: silentLog,
  })
  return { drain, left, asks, failToKeep: () => void (fails += 1) }
}

test('who was slow a moment ago waits with those that are, though it answers well', async () => {
  const { drain, left, asks } = open(['a', 'b', 'c', 'd'], async () => fine, { slowMs: -1 })
  drain.wake()
  await expect.poll(() => left.length).toBe(0)
  expect(asks.slice(0, 2)).toEqual([false, true])
  await drain.close()
})

test('who fails waits with those that do until it works', async () => {
  let tries = 0
  const { drain, left, asks } = open(['a', 'b', 'c'], async () => {
    tries += 1
    return tries === 1 ? { ...fine, ok: false, status: 500 } : fine
  })
  drain.wake()
  await expect.poll(() => left.length).toBe(0)
  expect(asks.slice(0, 3)).toEqual([false, true, false])
  await drain.close()
})

test('what was delivered is not sent again by the same process, though that could not be kept', async () => {
  const sent: string[] = []
  const { drain, left, failToKeep } = open(['a', 'b', 'c'], async (ids) => {
    sent.push(...ids)
    return fine
  })
  failToKeep()
  drain.wake()
  await expect.poll(() => left.length).toBe(0)
  expect(sent).toEqual(['a', 'b', 'c'])
  await drain.close()
})

test('what was lost is told by an entry, once, with what is sent next', async () => {
  const asked: string[][] = []
  let status = 503
  const send = async (ids: string[]): Promise<Sent> => {
    asked.push(ids)
    return { ...fine, ok: status === 200, status }
  }
  const { drain, left } = open(['a', 'b', 'c'], send)
  drain.lost(7)
  drain.wake()
  await expect.poll(() => asked.length).toBeGreaterThan(1)
  status = 200
  await expect.poll(() => left.length).toBe(0)
  await drain.close()
  const notices = asked.map(([first = '']) => first).filter((id) => id.length > 1)
  // As often as it failed, and the time it did not; always as one and the same entry.
  expect(notices.length).toBeGreaterThan(1)
  expect(new Set(notices).size).toBe(1)
  const delivered = asked.slice(notices.length - 1)
  expect(delivered).toEqual([
    [notices[0], 'a'],
    ['b', 'c'],
  ])
})

test('a request that has room for one entry has no notice of what was lost', async () => {
  const asked: string[][] = []
  const { drain, left } = open(['a', 'b'], async (ids) => {
    asked.push(ids)
    return ids.length > 1 ? { ...fine, ok: false, status: 413 } : fine
  })
  drain.lost(7)
  drain.wake()
  await expect.poll(() => left.length).toBe(0)
  await drain.close()
  expect(asked.filter((ids) => ids.length === 1).flat()).toEqual(['a', 'b'])
})

test('one that is closed ends its request, and sends nothing more', async () => {
  let asked = 0
  const { drain, left } = open(['a', 'b', 'c'], async () => {
    asked += 1
    void drain.close()
    return fine
  })
  drain.wake()
  await expect.poll(() => asked).toBe(1)
  await drain.close()
  drain.wake()
  expect([asked, left.length]).toEqual([1, 1])
})
