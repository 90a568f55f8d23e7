import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { internalToken } from '../../testing/control-plane.ts'
import { startStorageWorld, type StorageWorld } from '../../testing/storage.ts'

let world: StorageWorld
beforeAll(async () => {
  world = await startStorageWorld()
  await world.ada.call('POST', `${world.base}/buckets`, { name: 'other' })
  for (const name of ['in/a.txt', 'in/deep/b.txt', 'in/deep/c.txt', 'lone.txt'])
    expect(await world.upload(name, name)).toBe('uploaded')
  // More than one round of anything: rows alone, since only their names matter.
  await world.sql(`insert into storage.objects (bucket_id, name, metadata)
    select 'files', 'many/' || lpad(n::text, 4, '0'), '{"size": 1}' from generate_series(1, 2500) n`)
})
afterAll(() => world.planes.end())

const jobs = () => `${world.base}/jobs`
const start = async (body: object, who = world.ada) => who.call('POST', jobs(), body)
type Job = { id: string; status: string; done: number; failed: number; failure: string | null }
async function ended(body: object): Promise<Job> {
  const made = await start(body)
  expect(made).toMatchObject({ status: 201, body: { status: 'RUNNING' } })
  let found: Job | undefined
  await expect
    .poll(async () => {
      const { body: list } = await world.ada.call('GET', jobs())
      found = (list as unknown as Job[]).find(({ id }) => id === made.body['id'])
      return found?.status
    })
    .not.toBe('RUNNING')
  if (!found) throw new Error('the job is gone')
  return found
}
const names = async (like: string, bucket = 'files') => {
  const rows = await world.sql(
    `select name from storage.objects where bucket_id = '${bucket}' and name like '${like}' order by name`,
  )
  return rows.map(({ name }) => name)
}
const move = { kind: 'move', bucket: 'files' }

test.each([
  [400, { kind: 'burn', bucket: 'files', items: [{ from: 'in/' }] }],
  [400, { kind: 'remove', bucket: 'files', items: [] }],
  [400, { ...move, items: [{ from: 'in/' }] }],
  [400, { ...move, items: [{ from: 'in/', to: 'x' }] }],
  [400, { ...move, items: [{ from: 'lone.txt', to: 'x/' }] }],
  [400, { ...move, items: [{ from: 'in/', to: 'in/deep/' }] }],
  [400, { ...move, items: [{ from: 'in/', to: 'in/' }] }],
  [400, { ...move, kind: 'copy', items: [{ from: 'lone.txt', to: 'lone.txt' }] }],
  [404, { kind: 'remove', bucket: 'nothing', items: [{ from: '' }] }],
  [404, { ...move, to_bucket: 'nothing', items: [{ from: 'in/', to: 'in/' }] }],
])('%i: %o', async (status, body) => {
  expect(await start(body)).toMatchObject({ status })
})

test('strangers find no project, Read-only members see what goes on and begin nothing', async () => {
  const { stranger, reader } = world
  const body = { kind: 'remove', bucket: 'files', items: [{ from: '' }] }
  expect(await start(body, stranger)).toMatchObject({ status: 404 })
  expect(await stranger.call('GET', jobs())).toMatchObject({ status: 404 })
  expect(await start(body, reader)).toMatchObject({ status: 403 })
  expect(await reader.call('GET', jobs())).toMatchObject({ status: 200 })
  const one = `${jobs()}/${randomUUID()}`
  expect(await reader.call('DELETE', one)).toMatchObject({ status: 403 })
  expect(await world.ada.call('DELETE', one)).toMatchObject({ status: 404 })
})

test('a folder is renamed; what is in the way stays, and is counted', async () => {
  await world.upload('out/deep/b.txt', 'already here')
  const job = await ended({ ...move, items: [{ from: 'in/', to: 'out/' }] })
  expect(job).toMatchObject({ status: 'DONE', done: 2, failed: 1 })
  expect(await names('in/%')).toEqual(['in/deep/b.txt'])
  expect(await names('out/%')).toEqual(['out/a.txt', 'out/deep/b.txt', 'out/deep/c.txt'])
})

test('folders and objects are copied to another bucket, and again without harm', async () => {
  const items = [
    { from: 'out/', to: 'copied/' },
    { from: 'lone.txt', to: 'copied/lone.txt' },
  ]
  const copy = { kind: 'copy', bucket: 'files', to_bucket: 'other', items }
  expect(await ended(copy)).toMatchObject({ status: 'DONE', done: 4, failed: 0 })
  expect(await ended(copy)).toMatchObject({ status: 'DONE', done: 4, failed: 0 })
  expect(await names('copied/%', 'other')).toHaveLength(4)
})

test('a folder of many objects goes in rounds', async () => {
  const moved = await ended({ ...move, items: [{ from: 'many/', to: 'lots/' }] })
  expect(moved).toMatchObject({ status: 'DONE', done: 2500, failed: 0 })
  const gone = await ended({ kind: 'remove', bucket: 'files', items: [{ from: 'lots/' }] })
  expect(gone).toMatchObject({ status: 'DONE', done: 2500 })
  expect(await names('lots/%')).toEqual([])
})

test('an emptied bucket can be deleted, though an upload to it had been cut off', async () => {
  const { ada, base } = world
  await ada.call('POST', `${base}/buckets`, { name: 'half' })
  await world.sql(`insert into storage.s3_multipart_uploads (id, upload_signature, bucket_id, key, version)
      values ('u', '', 'half', 'k', 'v');
    insert into storage.s3_multipart_uploads_parts (upload_id, part_number, bucket_id, key, etag, version)
      values ('u', 1, 'half', 'k', '', 'part')`)
  expect(await ada.call('DELETE', `${base}/buckets/half`)).toMatchObject({ status: 409 })
  await ended({ kind: 'remove', bucket: 'half', items: [{ from: '' }] })
  expect(await ada.call('DELETE', `${base}/buckets/half`)).toMatchObject({ status: 200 })
})

test('a bucket that goes meanwhile ends the job with the reason', async () => {
  const { ada, base, planes } = world
  await ada.call('POST', `${base}/buckets`, { name: 'brief' })
  const made = await start({ kind: 'remove', bucket: 'brief', items: [{ from: '' }] })
  await expect
    .poll(
      async () => (await ada.call('DELETE', `${jobs()}/${String(made.body['id'])}`)).body['code'],
    )
    .toBe('storage_job_ended')
  // As if the process had died before its first round, and the bucket had gone before the next start.
  await ada.call('DELETE', `${base}/buckets/brief`)
  await sql`update platform.storage_jobs set status = 'RUNNING', item = 0 where id = ${made.body['id']}`.execute(
    planes.plane.db,
  )
  await sql`insert into platform.jobs (name, subject) values ('storage.run', ${made.body['id']})`.execute(
    planes.plane.db,
  )
  await planes.plane.jobs.recover()
  await expect
    .poll(async () => {
      const { body } = await ada.call('GET', jobs())
      return (body as unknown as Job[]).find(({ id }) => id === made.body['id'])
    })
    .toMatchObject({ status: 'FAILED', failure: 'This bucket does not exist' })
})

test('a job that is cancelled stops where it is', async () => {
  const { ada, planes } = world
  await world.sql(`insert into storage.objects (bucket_id, name, metadata)
    select 'files', 'long/' || lpad(n::text, 5, '0'), '{"size": 1}' from generate_series(1, 10000) n`)
  const made = await start({ ...move, items: [{ from: 'long/', to: 'longer/' }] })
  const cancelled = await ada.call('DELETE', `${jobs()}/${String(made.body['id'])}`)
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'CANCELLED' } })
  await expect
    .poll(async () => {
      const { rows } = await sql<{ finished_at: Date | null }>`
        select finished_at from platform.jobs where subject = ${made.body['id']}`.execute(
        planes.plane.db,
      )
      return rows[0]?.finished_at ?? null
    })
    .not.toBeNull()
  expect((await names('long/%')).length).toBeGreaterThan(0)
  const entries = await planes.plane.db
    .selectFrom('platform.audit_entries')
    .select(['action', 'change'])
    .where('action', 'like', 'storage.%Job')
    .orderBy('id', 'desc')
    .limit(2)
    .execute()
  expect(entries).toEqual([
    { action: 'storage.cancelJob', change: { after: { bucket: 'files', kind: 'move' } } },
    { action: 'storage.startJob', change: { after: { bucket: 'files', kind: 'move', items: 1 } } },
  ])
})

test('a bucket is emptied for a secret key, by a job that only our own programs order', async () => {
  const { plane, ref } = world.planes
  await world.ada.call('POST', `${world.base}/buckets`, { name: 'full' })
  await world.sql(`insert into storage.objects (bucket_id, name)
    select 'full', n::text from generate_series(1, 1500) n`)
  const order = async (payload: object, token = internalToken) => {
    const headers = { authorization: `Bearer ${token}` }
    const url = '/internal/storage-jobs'
    return plane.app.inject({ method: 'POST', url, headers, payload })
  }
  expect((await order({ ref, bucket: 'full' }, 'x')).statusCode).toBe(401)
  expect((await order({ ref, bucket: '' })).statusCode).toBe(400)
  expect((await order({ ref: 'z'.repeat(20), bucket: 'full' })).statusCode).toBe(404)
  const made = await order({ ref, bucket: 'full' })
  expect(made.statusCode).toBe(201)
  const { id } = made.json<Job>()
  const found = async () =>
    ((await world.ada.call('GET', jobs())).body as unknown as Job[]).find((job) => job.id === id)
  await expect.poll(found).toMatchObject({ status: 'DONE', done: 1500, started_by: 'service_role' })
  expect(await names('%', 'full')).toEqual([])
  const gone = await order({ ref, bucket: 'nothing' })
  expect(gone.statusCode).toBe(201)
})
