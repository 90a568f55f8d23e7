import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DiskUse } from '#compute/provider'
import { startWorld, type World } from '../../testing/world.ts'
import { nextState } from './disk.ts'

const megabyte = 1024 ** 2
const limit = 500 * megabyte

let world: World
let now = new Date()
let use: DiskUse = { database: 0, other: 0 }
/** In place of one that follows what is used. */
let mark: string | undefined
let space = { free: 100, size: 1000 }
let path: string

beforeAll(async () => {
  world = await startWorld('create table notes (id int primary key)', {
    now: () => now,
    diskReserve: 50,
  })
  path = `/platform/projects/${world.ref}/disk`
  world.control.compute.diskUse = async (ref) =>
    ref === world.ref ? use : { database: megabyte, other: 0 }
  world.control.compute.diskMark = async () => mark ?? JSON.stringify(use)
  world.control.compute.diskSpace = async () => space
  await setTier('tier_free')
})
afterAll(() => world.end())

const measured = async (database: number) => {
  use = { database, other: 7 * megabyte }
  await world.control.diskRound()
  return usage()
}
const usage = async () => (await world.ada.call('GET', `${path}/usage`)).body
const last = async () => (await world.ada.call('GET', `${path}/usage?last=true`)).body
const allowWrites = (who = world.ada) => who.call('POST', `${path}/allow-writes`)
/** The code of what an insertion is refused with; undefined when it goes in. */
const refusal = async (query = 'insert into notes select coalesce(max(id), 0) + 1 from notes') => {
  const answer = await world.ada.call('POST', `/v1/projects/${world.ref}/database/query`, { query })
  return answer.status === 201 ? undefined : JSON.stringify(answer.body)
}
const status = async () =>
  (await world.ada.call('GET', `/platform/projects/${world.ref}/status`)).body['status']
const readOnly = async () =>
  (await world.ada.call('GET', `/v1/projects/${world.ref}/readonly`)).body
/** A server hears of its settings a moment after it was told. What asks whether it has is an insertion of no row. */
const becomes = (requested: boolean) =>
  expect
    .poll(async () => (await refusal('insert into notes select 1 where false')) !== undefined, {
      timeout: 60_000,
      interval: 20,
    })
    .toBe(requested)
const setStanding = (
  restriction_status: 'restricted' | null,
  restriction_cause: 'overdue' | 'quota' | null = 'overdue',
) =>
  world.control.db
    .updateTable('platform.organizations')
    .set({ restriction_status, restriction_cause })
    .execute()
const setTier = (tier: 'tier_free' | 'tier_pro' | 'tier_payg') =>
  world.control.db.updateTable('platform.organizations').set({ tier }).execute()
const notices = async () => {
  const rows = await world.control.db
    .selectFrom('platform.notifications')
    .select('title')
    .orderBy('inserted_at')
    .execute()
  // Each manager has one.
  return rows.map(({ title }) => title).filter((title, at, all) => title !== all[at - 1])
}

describe('refused', () => {
  test('who is not signed in, and whose project it is not', async () => {
    const at = `${world.controlUrl}${path}`
    expect((await fetch(`${at}/usage`)).status).toBe(401)
    expect((await fetch(`${at}/allow-writes`, { method: 'POST' })).status).toBe(401)
    expect((await world.stranger.call('GET', `${path}/usage`)).status).toBe(404)
    expect((await allowWrites(world.stranger)).status).toBe(404)
    const none = '/platform/projects/abcdefghijklmnopqrst/disk/usage'
    expect((await world.ada.call('GET', none)).status).toBe(404)
  })

  test('members who may only read see it and allow nothing', async () => {
    expect((await world.as('Read-only').call('GET', `${path}/usage`)).status).toBe(200)
    expect((await allowWrites(world.as('Read-only'))).status).toBe(403)
  })
})

test.each([
  ['ok', 449, 'ok'],
  ['ok', 450, 'near'],
  ['near', 500, 'near'],
  // What goes up and down around a bound is told once.
  ['near', 449, 'near'],
  ['near', 426, 'near'],
  ['near', 424, 'ok'],
  ['near', 501, 'full'],
  ['ok', 501, 'full'],
  ['full', 476, 'full'],
  ['full', 475, 'near'],
  ['full', 449, 'ok'],
] as const)('what was %s is, with %i MB of 500, %s', (before, megabytes, after) => {
  expect(nextState(before, megabytes * megabyte, limit)).toBe(after)
  expect(nextState(before, megabytes * megabyte, null)).toBe('ok')
})

test('who cannot wait is told what was measured last, and it is not measured anew for that', async () => {
  const before = await measured(2 * megabyte)
  use = { database: 3 * megabyte, other: 0 }
  now = new Date(now.getTime() + 60_000)
  expect(await last()).toEqual(before)
  expect(await usage()).toMatchObject({ database_bytes: 3 * megabyte })
  expect(await last()).toMatchObject({ database_bytes: 3 * megabyte })
})

test('a server that has written nothing is counted again after five minutes, and at once when it writes', async () => {
  mark = 'nothing written'
  await measured(2 * megabyte)
  const grow = async (megabytes: number, minutes: number) => {
    use = { database: megabytes * megabyte, other: 0 }
    now = new Date(now.getTime() + minutes * 60_000)
    await world.control.diskRound()
    return last()
  }
  expect(await grow(3, 1)).toMatchObject({ database_bytes: 2 * megabyte })
  mark = 'something written'
  expect(await grow(4, 1)).toMatchObject({ database_bytes: 4 * megabyte })
  expect(await grow(5, 4)).toMatchObject({ database_bytes: 4 * megabyte })
  expect(await grow(6, 2)).toMatchObject({ database_bytes: 6 * megabyte })
  mark = undefined
})

test('a database that grows is warned of, can then be read only, and is free when it is smaller again', async () => {
  expect(await usage()).toMatchObject({ state: 'ok', limit_bytes: limit })
  expect(await measured(460 * megabyte)).toEqual({
    measured_at: now.toISOString(),
    database_bytes: 460 * megabyte,
    other_bytes: 7 * megabyte,
    limit_bytes: limit,
    state: 'near',
    writable_until: null,
  })
  expect(await refusal()).toBeUndefined()
  expect(await readOnly()).toMatchObject({ enabled: false, override_enabled: false })

  expect(await measured(501 * megabyte)).toMatchObject({ state: 'full' })
  await becomes(true)
  expect(await refusal()).toContain('read-only transaction')
  expect(await readOnly()).toMatchObject({ enabled: true, override_enabled: false })
  // Reading goes on.
  expect(await world.sql('select count(*)::int as n from notes')).toEqual([{ n: 1 }])

  expect(await measured(470 * megabyte)).toMatchObject({ state: 'near' })
  await becomes(false)
  expect(await measured(10 * megabyte)).toMatchObject({ state: 'ok' })
  expect(await notices()).toEqual([
    'The database of Books is almost full',
    'The database of Books is full and can only be read',
    'The database of Books is almost full',
    'The database of Books has space again',
  ])
})

test('whoever asks for it may write for a quarter of an hour', async () => {
  expect(await allowWrites()).toMatchObject({ status: 201, body: { state: 'ok' } })
  await measured(501 * megabyte)
  await becomes(true)
  const until = new Date(now.getTime() + 15 * 60_000).toISOString()
  expect(await allowWrites()).toMatchObject({
    status: 201,
    body: { state: 'full', writable_until: until },
  })
  await becomes(false)
  expect(await readOnly()).toEqual({
    enabled: false,
    override_enabled: true,
    override_active_until: until,
  })
  await measured(502 * megabyte)
  expect(await refusal()).toBeUndefined()
  now = new Date(now.getTime() + 15 * 60_000)
  expect(await measured(502 * megabyte)).toMatchObject({ writable_until: null })
  await becomes(true)
  // The Management API has a name of its own for it.
  const asked = `/v1/projects/${world.ref}/readonly/temporary-disable`
  expect(await world.ada.call('POST', asked)).toMatchObject({ status: 201, body: {} })
  await becomes(false)
})

test('neither debts nor a full disk give back what the other one has taken', async () => {
  now = new Date(now.getTime() + 15 * 60_000)
  await measured(501 * megabyte)
  await becomes(true)
  await setStanding('restricted')
  expect(await allowWrites()).toMatchObject({ status: 402 })
  await measured(1 * megabyte)
  expect(await readOnly()).toMatchObject({ enabled: true })
  expect(await world.sql('show default_transaction_read_only')).toEqual([
    { default_transaction_read_only: 'on' },
  ])
  await measured(501 * megabyte)
  await setStanding(null)
  now = new Date(now.getTime() + 15 * 60_000)
  await measured(501 * megabyte)
  await becomes(true)
  expect(await readOnly()).toMatchObject({ enabled: true })
})

test('beyond a quota whoever asks for it may delete with SQL for a quarter of an hour', async () => {
  await measured(1 * megabyte)
  now = new Date(now.getTime() + 15 * 60_000)
  await measured(2 * megabyte)
  await becomes(false)
  await setStanding('restricted', 'quota')
  await world.control.compute.setReadOnly(world.ref, true)
  expect(await readOnly()).toMatchObject({ enabled: true })
  const until = new Date(now.getTime() + 15 * 60_000).toISOString()
  expect(await allowWrites()).toMatchObject({ status: 201, body: { writable_until: until } })
  expect(await readOnly()).toMatchObject({ enabled: false, override_enabled: true })
  const setting = async () =>
    (await world.sql('show default_transaction_read_only'))[0]?.['default_transaction_read_only']
  await expect.poll(setting).toBe('off')
  await measured(3 * megabyte)
  expect(await readOnly()).toMatchObject({ enabled: false })
  now = new Date(now.getTime() + 15 * 60_000)
  expect(await measured(3 * megabyte)).toMatchObject({ writable_until: null })
  expect(await readOnly()).toMatchObject({ enabled: true })
  await expect.poll(setting).toBe('on')
  await setStanding(null, null)
  await world.control.compute.setReadOnly(world.ref, false)
  await becomes(false)
  await measured(501 * megabyte)
  await becomes(true)
})

test('a larger plan is a way out, and one that bills what is more has no limit', async () => {
  await becomes(true)
  await setTier('tier_pro')
  expect(await measured(501 * megabyte)).toMatchObject({
    limit_bytes: 8192 * megabyte,
    state: 'ok',
  })
  await becomes(false)
  await measured(9000 * megabyte)
  await becomes(true)
  await setTier('tier_payg')
  expect(await measured(9000 * megabyte)).toMatchObject({ limit_bytes: null, state: 'ok' })
  await becomes(false)
  await setTier('tier_free')
  await measured(megabyte)
})

test('a server that is told nothing is left alone, and one that was not told is told later', async () => {
  const { compute } = world.control
  const notified: boolean[] = []
  const before = compute.setReadOnly
  compute.setReadOnly = async (_ref, requested) => {
    notified.push(requested)
    if (notified.length === 1) throw new Error('It cannot be told now')
  }
  await measured(2 * megabyte)
  expect(notified).toEqual([])
  await measured(501 * megabyte)
  expect(notified).toEqual([true])
  // Whoever asks is answered; what they asked for is written down, and the next round tells it.
  compute.setReadOnly = async () => {
    throw new Error('It cannot be told now')
  }
  expect(await allowWrites()).toMatchObject({ status: 201, body: { state: 'full' } })
  compute.setReadOnly = before
  now = new Date(now.getTime() + 15 * 60_000)
  // After its first failure a subject of a round waits for some seconds.
  await expect
    .poll(async () => (await measured(501 * megabyte)) && (await refusal()), {
      timeout: 60_000,
      interval: 500,
    })
    .toContain('read-only')
  // The same wait, if somebody's question was quicker than the round.
  await expect
    .poll(async () => (await measured(megabyte))['state'], { timeout: 60_000, interval: 500 })
    .toBe('ok')
  await becomes(false)
})

describe('what is beyond all bounds', () => {
  const isPaused = () => expect.poll(status).toBe('INACTIVE')
  const resume = async () => {
    const back = await world.ada.call('POST', `/platform/projects/${world.ref}/restore`)
    expect(back.status).toBeLessThan(300)
    await expect.poll(status).toBe('ACTIVE_HEALTHY')
  }
  test('is paused, and may be resumed to delete something', async () => {
    now = new Date(Date.now() + 3600_000)
    await measured(1001 * megabyte)
    await isPaused()
    expect((await notices()).at(-1)).toBe('Books is paused')
    now = new Date()
    await resume()
    await measured(1001 * megabyte)
    expect(await status()).toBe('ACTIVE_HEALTHY')
    await allowWrites()
    await measured(megabyte)
    await becomes(false)
  })

  test('while the disk has enough, nobody is paused for it', async () => {
    space = { free: 50, size: 1000 }
    await measured(600 * megabyte)
    await world.control.keepReserve()
    expect(await status()).toBe('ACTIVE_HEALTHY')
  })

  test('when it has less than its reserve, whoever is beyond their plan is paused, and nobody else', async () => {
    const other = await world.createProject('Neighbour')
    space = { free: 49, size: 1000 }
    await world.control.keepReserve()
    await isPaused()
    // Nobody else is to be paused: that is not measured again and again every few seconds.
    let counted = 0
    const { diskUse } = world.control.compute
    world.control.compute.diskUse = async (ref) => {
      counted += 1
      return diskUse?.(ref)
    }
    for (let i = 0; i < 5; i += 1) await world.control.keepReserve()
    // One look, and perhaps another of the platform itself at the same moment.
    expect(counted).toBeLessThan(3)
    const neighbour = `/platform/projects/${other.ref}/status`
    expect((await world.ada.call('GET', neighbour)).body).toEqual({ status: 'ACTIVE_HEALTHY' })
  })
})
