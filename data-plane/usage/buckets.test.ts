import { expect, test } from 'vitest'
import { createBuckets } from './buckets.ts'

const ref = 'abcdefghijklmnopqrst'
const minuteMs = 60_000

function at(start = 29_000_000) {
  let minute = start
  return {
    now: () => minute * minuteMs + 5,
    to: (next: number) => {
      minute = next
    },
  }
}
const values = (all: { buckets: readonly { minute: number; value: number }[] }) =>
  all.buckets.map(({ minute, value }) => [minute, value])

test('what adds up adds up by the minute, and of levels the highest counts', () => {
  const clock = at()
  const buckets = createBuckets(clock)
  buckets.add(ref, 'egress_rest', 5)
  buckets.add(ref, 'egress_rest', 7)
  buckets.add(ref, 'egress_rest', 0)
  buckets.add(ref, 'egress_rest', Number.NaN)
  buckets.peak(ref, 'realtime_connections', 3)
  buckets.peak(ref, 'realtime_connections', 2)
  clock.to(29_000_001)
  buckets.add(ref, 'egress_rest', 1)
  expect(values(buckets.waiting())).toEqual([
    [29_000_000, 12],
    [29_000_000, 3],
    [29_000_001, 1],
  ])
})

test('what has changed is told once, as it is then', () => {
  const buckets = createBuckets(at())
  buckets.add(ref, 'egress_rest', 5)
  expect(values(buckets.takeChanged())).toEqual([[29_000_000, 5]])
  expect(values(buckets.takeChanged())).toEqual([])
  buckets.add(ref, 'egress_rest', 1)
  expect(values(buckets.takeChanged())).toEqual([[29_000_000, 6]])
})

test('what came while it was being sent is not taken with it, and goes with the same bucket', () => {
  const clock = at()
  const buckets = createBuckets(clock)
  buckets.add(ref, 'egress_rest', 5)
  const sent = buckets.waiting()
  buckets.add(ref, 'egress_rest', 2)
  clock.to(29_000_001)
  buckets.taken(sent)
  expect(values(buckets.waiting())).toEqual([[29_000_000, 7]])
  buckets.taken(buckets.waiting())
  expect(buckets.waiting().buckets).toEqual([])
})

test('a minute that was taken before it was over goes on as the same bucket', () => {
  const buckets = createBuckets(at())
  buckets.add(ref, 'egress_rest', 5)
  const [first] = buckets.waiting().buckets
  buckets.taken(buckets.waiting())
  buckets.add(ref, 'egress_rest', 5)
  expect(buckets.waiting().buckets).toEqual([{ ...first, value: 10 }])
})

test('a clock that is set back never counts on in a bucket that was forgotten', () => {
  const clock = at()
  const buckets = createBuckets(clock)
  buckets.add(ref, 'egress_rest', 5)
  const before = buckets.waiting()
  clock.to(29_000_010)
  buckets.taken(before)
  buckets.add(ref, 'egress_rest', 1)
  // A little back is waited out.
  clock.to(29_000_009)
  buckets.add(ref, 'egress_rest', 1)
  expect(values(buckets.waiting())).toEqual([[29_000_010, 2]])
  clock.to(29_000_000)
  buckets.add(ref, 'egress_rest', 3)
  const after = buckets.waiting().buckets.at(-1)
  expect(after).toMatchObject({ minute: 29_000_000, value: 3 })
  expect(after?.start).not.toBe(before.buckets[0]?.start)
})

test('with too many buckets counting goes on in older ones, and what has none is counted as lost', () => {
  const clock = at()
  const buckets = createBuckets({ ...clock, maxBuckets: 1 })
  buckets.add(ref, 'egress_rest', 5)
  clock.to(29_000_001)
  buckets.add(ref, 'egress_rest', 5)
  buckets.add(ref, 'egress_auth', 5)
  expect(values(buckets.waiting())).toEqual([[29_000_000, 10]])
  expect(buckets.takeLost()).toBe(1)
  expect(buckets.takeLost()).toBe(0)
  buckets.taken(buckets.waiting())
  buckets.add(ref, 'egress_auth', 5)
  expect(values(buckets.waiting())).toEqual([[29_000_001, 5]])
})

test('somebody is told once an hour, and by a digest that does not say who', () => {
  const clock = at(29_000_040)
  const buckets = createBuckets(clock)
  const id = '11111111-1111-4111-8111-111111111111'
  buckets.seen(ref, 'users', id)
  buckets.seen(ref, 'users', id)
  buckets.seen(ref, 'sso_users', id)
  const first = buckets.waiting()
  expect(first.sightings.map(({ kind }) => kind)).toEqual(['users', 'sso_users'])
  expect(JSON.stringify(first)).not.toContain(id.slice(0, 8))
  buckets.taken(first)
  buckets.seen(ref, 'users', id)
  expect(buckets.waiting().sightings).toEqual([])
  clock.to(29_000_100)
  buckets.seen(ref, 'users', id)
  expect(buckets.waiting().sightings).toMatchObject([{ kind: 'users', minute: 29_000_100 }])
  expect(buckets.waiting().sightings[0]?.hash).toBe(first.sightings[0]?.hash)
})
