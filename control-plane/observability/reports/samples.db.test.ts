import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ServerLoad } from '#compute/provider'
import { silentLog } from '#kit/log'
import { createSubjects } from '#kit/subjects'
import { startControlPlane, type TestControlPlane } from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { foreignRef, insertProject, ownRef } from '../../testing/victim.ts'
import { sampleStore, type SampleStore } from './samples-store.ts'
import { coresBetween, createSampler, movedBetween } from './samples.ts'

let plane: TestControlPlane
let store: SampleStore
let organization: string
const noon = Date.parse('2026-11-27T12:00:00Z')
const minute = 60_000
const day = 24 * 60 * minute

beforeAll(async () => {
  plane = await startControlPlane()
  store = sampleStore(plane.db)
  const ada = await newcomer(plane, 'ada')
  organization = (await organizationOf(ada, 'Mine')).id
  await insertProject(plane, organization, ownRef)
  await insertProject(plane, organization, foreignRef)
})
afterAll(() => plane.end())
beforeEach(async () => {
  await sql`delete from platform.metric_samples`.execute(plane.db)
  await sql`delete from platform.server_starts`.execute(plane.db)
  await sql`update platform.organizations set tier = 'tier_pro'`.execute(plane.db)
})

const span = (from: number, to: number, seconds = 60) => ({
  from: new Date(from),
  to: new Date(to),
  seconds,
})
const sampleOf = (more: object) => ({
  ref: ownRef,
  cpu: null,
  memory_bytes: null,
  connections: null,
  start: null,
  read_bytes: null,
  written_bytes: null,
  ...more,
})

test.each([
  ['no look before', undefined, 5, 60, null],
  ['half a core for a minute', { cpuSeconds: 10, at: 0 }, 40, 60, 0.5],
  ['the server was started again', { cpuSeconds: 10, at: 0 }, 4, 60, null],
  ['the clock was set back', { cpuSeconds: 10, at: 60_000 }, 40, 0, null],
  ['too long ago', { cpuSeconds: 10, at: 0 }, 40, 3600, null],
])('what was used of processors: %s', (_, before, cpuSeconds, seconds, cores) => {
  expect(coresBetween(before, { cpuSeconds, at: seconds * 1000 })).toBe(cores)
})

const look = (cpuSeconds: number, at: number, disk?: { read: number; written: number }) => ({
  cpuSeconds,
  at,
  disk,
})
test.each([
  ['no look before', undefined, { read: 9, written: 9 }, null, null],
  ['more than before', { read: 5, written: 2 }, { read: 9, written: 2 }, 4, 0],
  ['the server was started again', { read: 50, written: 20 }, { read: 9, written: 9 }, null, null],
  ['the kernel does not tell any more', { read: 5, written: 2 }, undefined, null, null],
])('what went from and to the disk: %s', (_, before, now, read, written) => {
  const moved = movedBetween(before && look(1, 0, before), look(2, minute, now))
  expect(moved).toEqual({ read_bytes: read, written_bytes: written })
})
test('of a server that was started again meanwhile nothing is known, though it has done more than before', () => {
  const [before, now] = [
    { read: 1, written: 1 },
    { read: 9, written: 9 },
  ]
  expect(movedBetween(look(5, 0, before), look(2, minute, now))).toEqual({
    read_bytes: null,
    written_bytes: null,
  })
})

test('each start after the first is a restart, of which samples and a count tell', async () => {
  const restarts = async () =>
    (await plane.db.selectFrom('platform.server_starts').select('restarts').execute()).map((row) =>
      Number(row.restarts),
    )
  const starts = ['a', 'a', 'b', null, 'b', 'c']
  for (const [at, start] of starts.entries())
    await store.add(
      [sampleOf({ start, read_bytes: 10, written_bytes: at })],
      new Date(noon + at * minute),
    )
  expect(await restarts()).toEqual([2])
  const points = async (seconds: number) =>
    (await store.of(ownRef, span(noon, noon + 10 * minute, seconds)))
      .toSorted((a, b) => a.point - b.point)
      .map((one) => [one.restarts, one.read_bytes, one.written_bytes])
  expect(await points(60)).toEqual([
    [0, 10, 0],
    [0, 10, 1],
    [1, 10, 2],
    [null, 10, 3],
    [0, 10, 4],
    [1, 10, 5],
  ])
  expect(await points(600)).toEqual([[2, 60, 15]])
  await store.prune(new Date(noon + 27 * 60 * minute))
  expect(await points(600)).toEqual([[2, 60, 15]])
})

test('of a project that was deleted none are kept', async () => {
  await store.add([sampleOf({ cpu: 1 })], new Date(noon))
  const set = (status: 'REMOVED' | 'INACTIVE') =>
    plane.db.updateTable('platform.projects').set({ status }).where('ref', '=', ownRef).execute()
  await set('REMOVED')
  await store.prune(new Date(noon))
  await set('INACTIVE')
  expect(await store.of(ownRef, span(noon, noon + minute))).toEqual([])
})

test('only servers that run are looked at, and what cannot be measured is absent, never zero', async () => {
  const looked: string[] = []
  let load: ServerLoad | undefined = { cpuSeconds: 10, memoryBytes: 5e9, connections: 3 }
  let clock = noon
  const sample = createSampler({
    store: {
      add: store.add,
      // The rounds of the platform itself would look for a server that was never there.
      running: () => Promise.resolve([ownRef]),
    },
    compute: {
      load: async (ref) => {
        looked.push(ref)
        return load
      },
    },
    each: createSubjects(silentLog).each,
    now: () => new Date(clock),
  })
  await sample()
  clock += minute
  load = { cpuSeconds: 25, memoryBytes: 6e9, connections: 5 }
  await sample()
  // Twice in one minute changes nothing.
  clock += 10
  await sample()
  clock += minute
  load = undefined
  await sample()
  expect(looked).toHaveLength(4)
  const found = await store.of(ownRef, span(noon, noon + 3 * minute))
  expect(found.toSorted((a, b) => a.point - b.point)).toEqual([
    expect.objectContaining({ point: 0, cpu: null, memory_bytes: 5e9, connections: 3 }),
    expect.objectContaining({ point: 1, cpu: 0.25, memory_bytes: 6e9, connections: 5 }),
    expect.objectContaining({ point: 2, cpu: null, memory_bytes: null, connections: null }),
  ])
  expect(await store.of(foreignRef, span(noon, noon + 3 * minute))).toEqual([])
  expect(await store.running()).toEqual([])
})

test('minutes become ten minutes after a day, once, and go when the plan keeps no more', async () => {
  for (let at = 0; at < 20; at++) {
    const given = sampleOf({ cpu: at % 2 === 0 ? 0.5 : 1.5, connections: at })
    await store.add([given], new Date(noon + at * minute))
  }
  const later = new Date(noon + 27 * 60 * minute)
  await store.prune(later)
  await store.prune(later)
  const points = await store.of(ownRef, span(noon, noon + 20 * minute, 600))
  expect(points.toSorted((a, b) => a.point - b.point)).toEqual([
    expect.objectContaining({ point: 0, cpu: 1, cpu_max: 1.5, connections: 9 }),
    expect.objectContaining({ point: 1, cpu: 1, cpu_max: 1.5, connections: 19 }),
  ])
  const count = async () =>
    (await plane.db.selectFrom('platform.metric_samples').select('began_at').execute()).length
  expect(await count()).toBe(2)
  await store.prune(new Date(noon + 6.9 * day))
  expect(await count()).toBe(2)
  await sql`update platform.organizations set tier = 'tier_free'`.execute(plane.db)
  await store.prune(new Date(noon + 6.9 * day))
  expect(await count()).toBe(0)
})

test('a minute that is not over its day stays as it is', async () => {
  await store.add([sampleOf({ cpu: 0.1 })], new Date(noon))
  await store.prune(new Date(noon + 25 * 60 * minute))
  expect(await store.of(ownRef, span(noon, noon + minute))).toHaveLength(1)
})
