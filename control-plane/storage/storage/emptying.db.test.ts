import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ProjectConnection } from '#contract/internal'
import { internalToken } from '../../testing/control-plane.ts'
import { startStorageWorld, type StorageWorld } from '../../testing/storage.ts'

let world: StorageWorld
let owner: Client
beforeAll(async () => {
  world = await startStorageWorld()
  const { plane, ref } = world.planes
  const headers = { authorization: `Bearer ${internalToken}` }
  const served = await plane.app.inject({ url: `/internal/projects/${ref}`, headers })
  const { database } = ProjectConnection.parse(served.json())
  owner = new Client({
    host: database.host,
    port: database.port,
    database: database.name,
    user: 'supabase_storage_admin',
    password: database.servicePassword,
  })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await world.planes.end()
})

type Job = { id: string; bucket: string; status: string; items: number; done: number }
const emptying = (bucket: string, kind = 'remove') => ({ kind, bucket, items: [{ from: '' }] })
async function order(bucket: string, body: object = emptying(bucket), who = world.ada) {
  const made = await who.call('POST', `${world.base}/jobs`, body)
  expect(made).toMatchObject({ status: 201, body: { status: 'RUNNING', bucket } })
  return made.body as unknown as Job
}
async function orderByKey(bucket: string): Promise<Job> {
  const { plane, ref } = world.planes
  const headers = { authorization: `Bearer ${internalToken}` }
  const made = await plane.app.inject({
    method: 'POST',
    url: '/internal/storage-jobs',
    headers,
    payload: { ref, bucket },
  })
  expect(made.statusCode).toBe(201)
  return made.json<Job>()
}
const jobs = async () =>
  (await world.ada.call('GET', `${world.base}/jobs`)).body as unknown as Job[]
const jobsOf = async (bucket: string) => (await jobs()).filter((job) => job.bucket === bucket)
const ended = (id: string) =>
  expect
    .poll(async () => (await jobs()).find((job) => job.id === id))
    .toMatchObject({ status: 'DONE' })
const names = (bucket: string) =>
  world.sql(`select name from storage.objects where bucket_id = '${bucket}'`)

let bucket: string
let count = 0
beforeEach(async () => {
  bucket = `bucket-${(count += 1)}`
  await world.ada.call('POST', `${world.base}/buckets`, { name: bucket })
  await world.sql(`insert into storage.objects (bucket_id, name)
    select '${bucket}', 'm' || n from generate_series(1, 1200) n`)
})

/** While nothing of a project can be deleted, so that its jobs run and come to no end. */
async function held<T>(work: () => Promise<T>): Promise<T> {
  await owner.query('begin; lock table storage.objects in share mode')
  try {
    return await work()
  } finally {
    await owner.query('commit')
  }
}

test('who empties a bucket that is being emptied is told of the job that runs, however they ask', async () => {
  const [first, ...others] = await held(async () => [
    await order(bucket),
    await order(bucket, undefined, world.developer),
    await orderByKey(bucket),
    await orderByKey(bucket),
    ...(await Promise.all([order(bucket), orderByKey(bucket)])),
  ])
  expect(new Set(others.map(({ id }) => id))).toEqual(new Set([first?.id]))
  expect([first, ...others].map((job) => job?.items)).toEqual(Array(6).fill(1))
  await ended(first?.id ?? '')
  expect(await jobsOf(bucket)).toMatchObject([{ id: first?.id, status: 'DONE', done: 1200 }])
  const again = await orderByKey(bucket)
  expect(again.id).not.toBe(first?.id)
  await ended(again.id)
})

test('two that are asked for at once are one', async () => {
  const [one, other] = await held(() => Promise.all([orderByKey(bucket), order(bucket)]))
  expect(one.id).toBe(other.id)
  await ended(one.id)
})

test('the job that runs removes what came before the second order, wherever it has got to by then', async () => {
  const made = await held(async () => {
    const first = await order(bucket)
    // Its round has looked at what there is, and waits to delete that.
    const waiting = `select 1 from pg_locks where relation = 'storage.objects'::regclass and not granted`
    await expect.poll(async () => (await owner.query(waiting)).rowCount).toBe(1)
    // In front of all that the job goes on behind.
    await owner.query('insert into storage.objects (bucket_id, name) values ($1, $2)', [
      bucket,
      'a',
    ])
    return [first, await order(bucket)]
  })
  expect(made[0]?.id).toBe(made[1]?.id)
  await ended(made[0]?.id ?? '')
  expect(await names(bucket)).toEqual([])
})

test('a folder, another bucket, and several things are jobs of their own', async () => {
  await world.ada.call('POST', `${world.base}/buckets`, { name: `${bucket}-b` })
  const made = await held(async () => [
    await order(bucket, { kind: 'remove', bucket, items: [{ from: 'm1' }] }),
    await order(bucket, { kind: 'remove', bucket, items: [{ from: '' }, { from: 'x/' }] }),
    await order(`${bucket}-b`),
    await order(bucket),
  ])
  expect(new Set(made.map(({ id }) => id)).size).toBe(4)
  for (const { id } of made) await ended(id)
})

test('what a person has ordered is in the audit log, the second order too', async () => {
  const made = await held(async () => [await orderByKey(bucket), await order(bucket)])
  await ended(made[0]?.id ?? '')
  const entries = await world.planes.plane.db
    .selectFrom('platform.audit_entries')
    .select('change')
    .where('action', '=', 'storage.startJob')
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  expect(entries).toEqual([{ change: { after: { bucket, kind: 'remove', items: 1 } } }])
})
