import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Session } from '#contract/database/activity'
import { blockingTree, isBusy, lasting, narrowed } from './blocking.ts'

const session = (pid: number, blocked_by: number[] = [], more: Partial<Session> = {}): Session => ({
  pid,
  kind: 'other',
  role: 'postgres',
  application: '',
  address: null,
  started: '2026-01-01T00:00:00.000000Z',
  transaction_started: null,
  query_started: null,
  state: 'active',
  state_changed: null,
  wait: null,
  query: 'select 1',
  blocked_by,
  ...more,
})

test('who waits stands below whom it waits for', () => {
  const tree = blockingTree([session(3, [2]), session(1), session(2, [1]), session(4, [99])])
  expect(tree.map(({ session: { pid }, depth }) => [pid, depth])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 0],
  ])
})

test('everybody stands somewhere once, whoever waits for whom', () => {
  const sessions = fc
    .uniqueArray(fc.nat(12), { maxLength: 12 })
    .chain((pids) =>
      fc.tuple(
        ...pids.map((pid) => fc.subarray([...pids, 77]).map((blockers) => session(pid, blockers))),
      ),
    )
  fc.assert(
    fc.property(sessions, (list) => {
      const pids = blockingTree(list).map(({ session: { pid } }) => pid)
      expect(pids.toSorted((a, b) => a - b)).toEqual(
        list.map(({ pid }) => pid).toSorted((a, b) => a - b),
      )
    }),
    { numRuns: 1000 },
  )
})

test('a narrowed list keeps who holds up what was found', () => {
  const list = [session(1), session(2, [1]), session(3, [2], { query: 'update' }), session(4)]
  const found = narrowed(list, ({ query }) => query === 'update')
  expect(found.map(({ pid }) => pid)).toEqual([1, 2, 3])
})

test('busy is who works, waits, or keeps a transaction open', () => {
  expect(isBusy(session(1))).toBe(true)
  expect(isBusy(session(1, [], { state: 'idle in transaction' }))).toBe(true)
  expect(isBusy(session(1, [], { state: 'idle' }))).toBe(false)
  expect(isBusy(session(1, [], { state: null }))).toBe(false)
})

test('how long something lasts', () => {
  const at = (time: string) => `2026-01-01T${time}Z`
  expect(lasting(at('00:00:00.900000'), at('00:00:05.000000'))).toBe('4 s')
  expect(lasting(at('00:00:00'), at('00:02:05'))).toBe('2 min 5 s')
  expect(lasting(at('00:00:00'), at('03:12:59'))).toBe('3 h 12 min')
  expect(lasting(at('00:00:05'), at('00:00:00'))).toBe('0 s')
  expect(lasting(null, at('00:00:00'))).toBe('')
})
