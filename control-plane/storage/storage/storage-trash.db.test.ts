import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { createDataPlane } from '../../data-plane/client.ts'
import { createRounds } from './rounds.ts'
import { createTrashRounds } from './trash-rounds.ts'
import { internalToken } from '../../testing/control-plane.ts'
import { storageStore } from './store.ts'
import { startStorageWorld, type StorageWorld } from '../../testing/storage.ts'

let world: StorageWorld
let trash: string
beforeAll(async () => {
  world = await startStorageWorld()
  trash = `${world.base}/trash`
})
afterAll(() => world.planes.end())

type Item = { id: string; name: string; deleted_by: string; owner_id: string | null; size: number }
const items = async (who = world.ada) => {
  const { status, body } = await who.call('GET', trash)
  expect(status).toBe(200)
  return body as unknown as { items: Item[]; days: number }
}
const remove = async (...paths: string[]) => {
  for (const path of paths) expect(await world.upload(path, path)).toBe('uploaded')
  const answer = await world.developer.call('DELETE', `${world.bucket}/objects`, { paths })
  expect(answer.body).toEqual({ removed: paths.length })
}
const nobodys = '00000000-0000-4000-8000-000000000000'
const changes = [
  ['POST', '', { ids: [nobodys] }],
  ['POST', `/${nobodys}`, {}],
  ['POST', '/purge', { ids: [nobodys] }],
  ['POST', '/empty', {}],
] as const

test.each(changes)('%s %s needs who may write, in this project', async (method, path, body) => {
  const { stranger, reader, planes } = world
  const url = trash + path
  expect((await planes.plane.app.inject({ method, url, payload: body })).statusCode).toBe(401)
  expect(await stranger.call(method, url, body)).toMatchObject({ status: 404 })
  expect(await reader.call(method, url, body)).toMatchObject({
    status: 403,
    body: { code: 'not_allowed' },
  })
})

test('Read-only members see the trash, strangers do not', async () => {
  expect((await items(world.reader)).items).toEqual([])
  expect(await world.stranger.call('GET', trash)).toMatchObject({ status: 404 })
  expect((await world.planes.plane.app.inject({ method: 'GET', url: trash })).statusCode).toBe(401)
})

test('who deleted is told by mail address, of jobs too', async () => {
  await remove('a.txt')
  expect(await world.upload('in/b.txt', 'b')).toBe('uploaded')
  const job = { kind: 'remove', bucket: 'files', items: [{ from: 'in/' }] }
  expect(await world.ada.call('POST', `${world.base}/jobs`, job)).toMatchObject({ status: 201 })
  await expect.poll(async () => (await items()).items.length).toBe(2)
  expect((await items()).items).toMatchObject([
    { name: 'in/b.txt', deleted_by: 'ada@example.com', size: 1 },
    { name: 'a.txt', deleted_by: 'developer@example.com', size: 5 },
  ])
})

test('the plan says for how long, also of what is there already', async () => {
  const { db } = world.planes.plane
  for (const [tier, days] of [
    ['tier_team', 28],
    ['tier_free', 1],
  ]) {
    await sql`update platform.organizations set tier = ${tier} where slug = 'acme'`.execute(db)
    await expect.poll(async () => (await items()).days).toBe(days)
  }
  await world.sql(
    "update storage.trash set deleted_at = now() - interval '25 hours' where name = 'a.txt'",
  )
  expect((await items()).items).toMatchObject([{ name: 'in/b.txt' }])
})

test('a member restores, ends for ever and empties; the audit log tells it without names', async () => {
  const { developer, planes } = world
  await remove('c.txt', 'd.txt', 'e.txt')
  const ids = new Map((await items()).items.map(({ id, name }) => [name, id]))
  const idOf = (name: string) => ids.get(name) ?? ''
  expect(await developer.call('POST', `${trash}/${idOf('c.txt')}`, { name: 'f.txt' })).toEqual(
    expect.objectContaining({ status: 200, body: { bucket: 'files', name: 'f.txt' } }),
  )
  const some = { ids: [idOf('d.txt')] }
  expect((await developer.call('POST', trash, some)).body).toEqual({
    results: [{ id: idOf('d.txt'), error: null }],
  })
  const gone = { ids: [idOf('e.txt')] }
  expect((await developer.call('POST', `${trash}/purge`, gone)).body).toEqual({ removed: 1 })
  expect((await developer.call('POST', `${trash}/empty`, { bucket: 'files' })).body).toEqual({
    removed: 2,
  })
  expect((await items()).items).toEqual([])
  const rows = await world.sql("select name from storage.objects where name ~ '^[cdef]' order by 1")
  expect(rows).toEqual([{ name: 'd.txt' }, { name: 'f.txt' }])
  const entries = await planes.plane.db
    .selectFrom('platform.audit_entries')
    .select(['action', 'change'])
    .where('actor_email', '=', 'developer@example.com')
    .where('action', 'in', [
      'storage.restore',
      'storage.restoreMany',
      'storage.purge',
      'storage.emptyTrash',
    ])
    .orderBy('id')
    .execute()
  expect(entries).toEqual([
    { action: 'storage.restore', change: { after: { objects: 1 } } },
    { action: 'storage.restoreMany', change: { after: { objects: 1 } } },
    { action: 'storage.purge', change: { after: { objects: 1 } } },
    { action: 'storage.emptyTrash', change: { after: { bucket: 'files' } } },
  ])
})

test('what is over goes from projects that nobody uses too, once a day while they run', async () => {
  const { db } = world.planes.plane
  const { dataPlaneUrl } = world.planes
  let time = Date.now()
  const { purge } = createRounds(createDataPlane({ dataPlaneUrl, internalToken, log: silentLog }))
  const sweep = createTrashRounds({
    store: storageStore(db),
    purge,
    now: () => new Date(time),
    log: silentLog,
  })
  const round = async (wait: number) => {
    time += wait
    await sweep()
    return (await world.sql('select name from storage.trash order by name')).map(({ name }) => name)
  }
  const age = (name: string) =>
    world.sql(
      `update storage.trash set deleted_at = now() - interval '25 hours' where name = '${name}'`,
    )
  const minute = 60_000
  await remove('g.txt', 'h.txt')
  await age('g.txt')
  expect(await round(minute)).toEqual(['g.txt', 'h.txt'])
  expect(await round(10 * minute)).toEqual(['h.txt'])
  expect(await round(1430 * minute)).toEqual(['h.txt'])
  await age('h.txt')
  expect(await round(9 * minute)).toEqual(['h.txt'])
  expect(await round(minute)).toEqual([])
})

test('projects that do not run are not asked', async () => {
  const { ref, plane } = world.planes
  await plane.db.transaction().execute(async (tx) => {
    const running = async () => (await storageStore(tx).runningAfter('0', 9)).map((one) => one.ref)
    const become = (status: string) =>
      sql`update platform.projects set status = ${status} where ref = ${ref}`.execute(tx)
    expect(await running()).toEqual([ref])
    for (const status of ['INACTIVE', 'COMING_UP', 'ACTIVE_UNHEALTHY', 'REMOVED']) {
      await become(status)
      expect(await running()).toEqual([])
    }
    await become('ACTIVE_HEALTHY')
  })
})
