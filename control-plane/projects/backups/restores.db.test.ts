import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { preparePostgres } from '#kit/postgres/runtime'
import { startWorld, type World } from '../../testing/world.ts'

/** Each waits for real servers, beside whatever else the machine does. */
const patience = { timeout: 120_000 }

let world: World
let path: string
let project: string

beforeAll(async () => {
  world = await startWorld(
    `create table notes (id int primary key, text text);
     insert into notes select n, 'note ' || n from generate_series(1, 200) n`,
  )
  project = `/platform/projects/${world.ref}`
  path = `/platform/database/${world.ref}/backups`
})
afterAll(() => world.end())

type Kept = { id: number; status: string; reason: string; failure: string | null }
const kept = async () => (await world.ada.call('GET', path)).body['backups'] as Kept[]
const status = async () => (await world.ada.call('GET', `${project}/status`)).body['status']
const reaches = (requested: string) => expect.poll(status, { timeout: 120_000 }).toBe(requested)
const notes = async () =>
  (await world.sql('select count(*)::int as count from notes'))[0]?.['count']
const counts = (count: number) => expect.poll(notes).toBe(count)
async function backUp(): Promise<number> {
  const id = Number((await world.ada.call('POST', path)).body['id'])
  await expect
    .poll(async () => (await kept()).find((one) => one.id === id)?.status, { timeout: 120_000 })
    .toBe('COMPLETED')
  return id
}
const restore = (id: number, by = world.ada) => by.call('POST', `${path}/restore`, { id })
const unfinished = async () =>
  (
    await world.control.db
      .selectFrom('platform.jobs')
      .select('id')
      .where('finished_at', 'is', null)
      .execute()
  ).length
const settled = () => expect.poll(unfinished, { timeout: 120_000 }).toBe(0)

let first: number
test('a restore brings back what there was; what it replaced is kept first', patience, async () => {
  first = await backUp()
  await world.sql(`delete from notes where id > 50; create table later (id int)`)
  const networks = ['127.0.0.0/8', '10.0.0.0/8', '::1/128']
  const bound = await world.ada.call(
    'POST',
    `/v1/projects/${world.ref}/network-restrictions/apply`,
    {
      dbAllowedCidrs: networks.slice(0, 2),
      dbAllowedCidrsV6: networks.slice(2),
    },
  )
  expect(bound.status).toBe(201)
  const { setNetworks } = world.control.compute
  if (!setNetworks) throw new Error('This provider cannot restrict networks')
  const set: (readonly string[] | null)[] = []
  const { clusters } = await preparePostgres(world.control.home)
  world.control.compute.setNetworks = async (ref, to) => {
    set.push(to)
    // Before it is set again it holds already: the new server never lets in whom the old one kept out.
    const rules = await readFile(join(clusters, 'projects', ref, 'config/pg_hba.conf'), 'utf8')
    expect(rules).toContain('10.0.0.0/8')
    await setNetworks(ref, to)
  }
  try {
    expect(await restore(first, world.as('Developer'))).toMatchObject({ status: 201 })
    expect(await status()).toBe('RESTORING')
    // One after the other, and nobody cuts it in the middle.
    expect(await restore(first)).toMatchObject({ status: 409, body: { code: 'project_busy' } })
    expect(await world.ada.call('POST', path)).toMatchObject({ status: 409 })
    expect(await world.ada.call('POST', `/v1/projects/${world.ref}/restore/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'project_busy' },
    })
    await reaches('ACTIVE_HEALTHY')
  } finally {
    world.control.compute.setNetworks = setNetworks
  }
  expect(set).toEqual([networks])
  await counts(200)
  await expect(world.sql('select * from later')).rejects.toThrow(/does not exist/)
  expect(await kept()).toMatchObject([
    { reason: 'before_restore', status: 'COMPLETED' },
    { id: first, reason: 'manual' },
  ])
  const detail = await world.ada.call('GET', project)
  expect(detail.body).toMatchObject({ failure: null })
  const entries = await world.control.db
    .selectFrom('platform.audit_entries')
    .select(['actor_email', 'change'])
    .where('action', '=', 'backups.restore')
    .execute()
  expect(entries).toMatchObject([
    {
      actor_email: 'developer@example.com',
      change: { before: { status: 'ACTIVE_HEALTHY' }, after: { backup: first } },
    },
  ])
})

test('what was replaced is had back by restoring what was kept of it', patience, async () => {
  await settled()
  const [safety] = await kept()
  expect(await restore(Number(safety?.id))).toMatchObject({ status: 201 })
  await reaches('ACTIVE_HEALTHY')
  await counts(50)
  expect(await world.sql('select count(*)::int as count from later')).toEqual([{ count: 0 }])
})

test('what cannot be backed up first is not replaced, and it is said why', patience, async () => {
  await settled()
  const { backups } = world.control.compute
  if (!backups) throw new Error('This provider keeps no backups')
  const { make, restore: restoring } = backups
  backups.make = () => Promise.reject(new Error('no room on the disk'))
  let restores = 0
  backups.restore = (...given) => {
    restores += 1
    return restoring(...given)
  }
  try {
    await restore(first)
    await settled()
  } finally {
    Object.assign(backups, { make, restore: restoring })
  }
  expect(await status()).toBe('ACTIVE_HEALTHY')
  expect(restores).toBe(0)
  const { body } = await world.ada.call('GET', project)
  expect(body['failure']).toContain('could not be backed up first: no room on the disk')
  expect((await kept())[0]).toMatchObject({ reason: 'before_restore', status: 'FAILED' })
  await counts(50)
})

test('a restore that fails leaves the project as it was', patience, async () => {
  const { backups } = world.control.compute
  if (!backups) throw new Error('This provider keeps no backups')
  const restoring = backups.restore
  backups.restore = () => Promise.reject(new Error('the file is damaged'))
  try {
    await restore(first)
    await settled()
    expect(await status()).toBe('ACTIVE_HEALTHY')
    await counts(50)
    expect((await world.ada.call('GET', project)).body['failure']).toBe('the file is damaged')

    await world.ada.call('POST', `${project}/pause`)
    await reaches('INACTIVE')
    await restore(first)
    await settled()
    expect(await status()).toBe('RESTORE_FAILED')
    expect((await world.control.compute.inspect(world.ref)).state).toBe('stopped')
  } finally {
    backups.restore = restoring
  }
  // It is resumed as it was before.
  await world.ada.call('POST', `${project}/restore`)
  await reaches('ACTIVE_HEALTHY')
  await counts(50)
})

test('a paused project is restored as well, and what it had is kept', patience, async () => {
  await world.ada.call('POST', `${project}/pause`)
  await reaches('INACTIVE')
  const before = (await kept()).length
  expect(await restore(first)).toMatchObject({ status: 201 })
  await reaches('ACTIVE_HEALTHY')
  await counts(200)
  expect(await kept()).toHaveLength(before + 1)
  expect((await kept())[0]).toMatchObject({ reason: 'before_restore', status: 'COMPLETED' })
})

test('what is being restored does not expire meanwhile', patience, async () => {
  await settled()
  const { backups } = world.control.compute
  if (!backups) throw new Error('This provider keeps no backups')
  const restoring = backups.restore
  let go = () => {}
  const held = new Promise<void>((resolve) => (go = resolve))
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  let order: string | undefined
  backups.restore = async (...given) => {
    order = given[2]
    arrive()
    await held
    return restoring(...given)
  }
  try {
    expect(await restore(first)).toMatchObject({ status: 201 })
    await arrived
    // By this a job that comes back with an older platform database is known.
    const { id } = await world.control.db
      .selectFrom('platform.jobs')
      .select('id')
      .where('finished_at', 'is', null)
      .executeTakeFirstOrThrow()
    expect(order).toBe(id)
    await world.control.db
      .updateTable('platform.backups')
      .set({ inserted_at: new Date(0), expires_at: new Date(0) })
      .where('id', '=', String(first))
      .execute()
    await world.control.backupRound()
    expect((await kept()).map(({ id }) => id)).toContain(first)
    go()
    await settled()
    await counts(200)
    await world.control.backupRound()
    expect((await kept()).map(({ id }) => id)).not.toContain(first)
  } finally {
    go()
    backups.restore = restoring
  }
})

test('a moment cannot be restored to while nothing keeps it', patience, async () => {
  const at = { recovery_time_target_unix: Math.floor(Date.now() / 1000) - 5 }
  expect(await world.ada.call('POST', `${path}/pitr`, at)).toMatchObject({
    status: 409,
    body: { code: 'recovery_off' },
  })
})
