import { DeleteObjectCommand, DeleteObjectsCommand } from '@aws-sdk/client-s3'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFileBackend } from '../backends/file-backend.ts'
import { ada } from '../../testing/storage/storage.ts'
import { startS3, type S3Plane } from '../../testing/storage/s3.ts'

let plane: S3Plane
beforeAll(async () => {
  plane = await startS3()
})
afterAll(async () => {
  plane.closeClients()
  await plane.close()
})
beforeEach(async () => {
  await plane.sql(`begin; set local storage.allow_delete_query = 'true';
    delete from storage.objects; truncate storage.trash; commit`)
})

const put = async (name: string, text = name) =>
  expect((await plane.service.from('own').upload(name, text, { upsert: true })).error).toBeNull()
const bytes = async () => {
  const found: string[] = []
  const backend = createFileBackend(plane.storageFolder)
  for await (const { version } of backend.list(plane.project.ref)) found.push(version)
  return found.length
}
type Item = { id: string; name: string; bucket: string; size: number; deleted_by: string }
type List = { items: Item[]; next: string | null; days: number }
async function list(query = ''): Promise<List> {
  const { status, body } = await plane.own('GET', `/trash${query}`)
  expect(status).toBe(200)
  return body as unknown as List
}
const idOf = async (name: string) => {
  const found = (await list()).items.find((item) => item.name === name)
  if (!found) throw new Error(`${name} is not in the trash`)
  return found.id
}
const textOf = async (name: string) => (await plane.service.from('own').download(name)).data?.text()

test('whichever way an object is deleted, it is in the trash, with who did it', async () => {
  const names = ['one', 'many', 's3', 's3-many', 'page', 'job/a', `${ada}/x`, 'sql', 'rest']
  for (const name of names) await put(name)
  await plane.ask('/object/own/one', { method: 'DELETE' })
  await plane.service.from('own').remove(['many'])
  await plane.s3.send(new DeleteObjectCommand({ Bucket: 'own', Key: 's3' }))
  const Objects = [{ Key: 's3-many' }]
  await plane.s3.send(new DeleteObjectsCommand({ Bucket: 'own', Delete: { Objects } }))
  await plane.own('DELETE', '/buckets/own/objects', { paths: ['page'] })
  await plane.ada.from('own').remove([`${ada}/x`])
  const job = { ref: plane.project.ref, kind: 'remove', bucket: 'own', to_bucket: null, after: '' }
  const round = { ...job, item: { from: 'job/' } }
  // Rounds have no project in their address.
  expect((await plane.own('POST', '/../rounds', round)).status).toBe(200)
  await plane.sql(`begin; set local storage.allow_delete_query = 'true';
    delete from storage.objects where name = 'sql'; commit`)
  expect((await plane.service.emptyBucket('own')).error).toBeNull()
  await expect.poll(plane.trashed).toEqual({
    one: 'service_role',
    many: 'service_role',
    s3: 'service_role',
    's3-many': 'service_role',
    page: 'zoë@example.com',
    'job/a': 'zoë@example.com',
    [`${ada}/x`]: ada,
    sql: 'postgres',
    rest: 'service_role',
  })
  expect(await plane.sql('select from storage.objects')).toEqual([])
})

test('what is replaced, moved or has no bytes does not come there; claims that are none are no hindrance', async () => {
  await put('a', 'first')
  await put('a', 'second')
  await plane.service.from('own').move('a', 'b')
  await plane.service.from('own').copy('b', 'c')
  await plane.sql(`insert into storage.objects (bucket_id, name) values ('own', 'seed')`)
  await plane.service.from('own').remove(['seed'])
  expect(await plane.trashed()).toEqual({})
  await plane.sql(`begin; set local storage.allow_delete_query = 'true';
    set local request.jwt.claims = 'none'; delete from storage.objects where name = 'c'; commit`)
  expect(await plane.trashed()).toEqual({ c: 'postgres' })
})

test('a refused deletion leaves no trace, and one that is taken back neither', async () => {
  await put('kept')
  await plane.ada.from('own').remove(['kept'])
  await plane.sql(`begin; set local storage.allow_delete_query = 'true';
    delete from storage.objects; rollback`)
  expect(await plane.trashed()).toEqual({})
  expect(await textOf('kept')).toBe('kept')
})

test('a restored object is as it was: id, owner, metadata, times and bytes', async () => {
  await plane.ada.from('own').upload(`${ada}/mine`, 'bytes', { metadata: { of: 'me' } })
  const rows = () => plane.sql(`select * from storage.objects where name like '%mine'`)
  const before = await rows()
  await plane.ada.from('own').remove([`${ada}/mine`])
  expect(await rows()).toEqual([])
  const { items, days } = await list()
  expect(items).toMatchObject([{ name: `${ada}/mine`, size: 5, owner_id: ada, deleted_by: ada }])
  expect(days).toBe(7)
  expect(await plane.own('POST', `/trash/${items[0]?.id}`, {})).toEqual({
    status: 200,
    body: { bucket: 'own', name: `${ada}/mine` },
  })
  expect(await rows()).toEqual(before)
  expect(await plane.trashed()).toEqual({})
  const { data } = await plane.ada.from('own').download(`${ada}/mine`)
  expect(await data?.text()).toBe('bytes')
})

test('a name that is taken by now is refused, and another one is not', async () => {
  await put('a', 'old')
  await plane.service.from('own').remove(['a'])
  await put('a', 'new')
  const id = await idOf('a')
  expect(await plane.own('POST', `/trash/${id}`, {})).toMatchObject({
    status: 409,
    body: { code: 'name_taken', message: expect.stringContaining('another name') },
  })
  expect(await plane.own('POST', `/trash/${id}`, { name: 'x//y' })).toMatchObject({ status: 400 })
  expect(await plane.own('POST', `/trash/${id}`, { name: 'b' })).toMatchObject({ status: 200 })
  expect([await textOf('a'), await textOf('b')]).toEqual(['new', 'old'])
  expect(await plane.own('POST', `/trash/${id}`, {})).toMatchObject({
    status: 404,
    body: { code: 'trash_item_not_found' },
  })
})

test('many are restored each by itself; of two of one name the later', async () => {
  for (const text of ['earlier', 'later']) {
    await put('twice', text)
    await plane.service.from('own').remove(['twice'])
  }
  await put('once')
  await plane.service.from('own').remove(['once'])
  const ids = (await list()).items.map(({ id }) => id)
  const gone = '00000000-0000-4000-8000-000000000000'
  const asked = { ids: [...ids, gone] }
  const both = await Promise.all([1, 2].map(() => plane.own('POST', '/trash', asked)))
  const outcomes = both.map(({ body }) => body['results'] as { id: string; error: unknown }[])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  const back = outcomes.flatMap((results) => results.filter(({ error }) => error === null))
  expect(back.map(({ id }) => id).toSorted()).toEqual([ids[0], ids[1]].toSorted())
  for (const results of outcomes)
    expect(results.at(-1)).toMatchObject({ id: gone, error: { code: 'trash_item_not_found' } })
  expect([await textOf('twice'), await textOf('once')]).toEqual(['later', 'once'])
  expect(Object.keys(await plane.trashed())).toEqual(['twice'])
})

test('the list goes on page by page, and is narrowed by bucket and name', async () => {
  await put('50_.txt')
  for (const name of ['a', 'B', 'c']) await put(name)
  await plane.service.from('own').remove(['50_.txt', 'a'])
  await plane.service.from('own').remove(['B', 'c'])
  const found: string[] = []
  for (let query = '?limit=1', page: List; ; query = `?limit=1&cursor=${page.next}`) {
    page = await list(query)
    found.push(...page.items.map(({ name }) => name))
    if (!page.next) break
  }
  expect(found.toSorted()).toEqual(['50_.txt', 'B', 'a', 'c'])
  expect(new Set(found.slice(0, 2))).toEqual(new Set(['B', 'c']))
  expect((await list('?search=b')).items).toMatchObject([{ name: 'B' }])
  expect((await list('?search=_')).items).toMatchObject([{ name: '50_.txt' }])
  expect((await list('?bucket=open')).items).toEqual([])
})

test.each([
  ['GET', '/trash?cursor=x', undefined],
  ['GET', '/trash?limit=0', undefined],
  ['GET', '/trash?limit=1001', undefined],
  ['POST', '/trash/not-an-id', {}],
  ['POST', '/trash', { ids: [] }],
  ['POST', '/trash', { ids: ['x'] }],
  ['POST', '/trash/purge', {}],
])('%s %s %o is refused', async (method, path, body) => {
  expect(await plane.own(method, path, body)).toMatchObject({ status: 400 })
})

test('what is deleted for ever loses row and bytes, and bytes that another row names stay', async () => {
  const before = await bytes()
  for (const name of ['a', 'b', 'shared']) await put(name)
  await plane.service.from('own').remove(['a', 'shared'])
  await plane.sql(`insert into storage.objects (bucket_id, name, version, metadata)
    select bucket_id, 'same bytes', version, metadata from storage.trash where name = 'shared'`)
  expect(await bytes()).toBe(before + 3)
  const ids = [await idOf('a'), await idOf('shared')]
  expect((await plane.own('POST', '/trash/purge', { ids })).body).toEqual({ removed: 2 })
  expect((await plane.own('POST', '/trash/purge', { ids })).body).toEqual({ removed: 0 })
  expect(await bytes()).toBe(before + 2)
  expect([await textOf('b'), await textOf('same bytes')]).toEqual(['b', 'shared'])
})

test('the trash of a bucket goes with it; one of the same name begins with none', async () => {
  const before = await bytes()
  await plane.service.createBucket('brief')
  await plane.service.from('brief').upload('a', 'a')
  await put('stays')
  await plane.service.from('brief').remove(['a'])
  await plane.service.from('own').remove(['stays'])
  const id = await idOf('a')
  expect((await plane.service.deleteBucket('brief')).error).toBeNull()
  await plane.service.createBucket('brief')
  expect((await list()).items).toMatchObject([{ name: 'stays' }])
  expect(await plane.own('POST', `/trash/${id}`, {})).toMatchObject({ status: 404 })
  await expect.poll(plane.trashed).toEqual({ stays: 'service_role' })
  await expect.poll(bytes).toBe(before + 1)
  expect((await plane.own('POST', '/trash/empty', { bucket: 'open' })).body).toEqual({ removed: 0 })
  expect((await plane.own('POST', '/trash/empty', {})).body).toEqual({ removed: 1 })
  expect((await list()).items).toEqual([])
  await expect.poll(bytes).toBe(before)
})

test.each(['anon', 'authenticated', 'service_role'])(
  'the role %s neither reads nor writes the trash, and calls none of its functions',
  async (role) => {
    await put('a')
    await plane.service.from('own').remove(['a'])
    const client = new Client(plane.database.configFor(`authenticator_${role}`))
    await client.connect()
    try {
      for (const text of [
        'select from storage.trash',
        'delete from storage.trash',
        "update storage.trash set name = 'x'",
        "insert into storage.trash (object_id, bucket_id, name, version) values (gen_random_uuid(), 'own', 'x', 'x')",
        'truncate storage.trash',
        'select storage.who_deletes()',
        'create trigger t after delete on storage.buckets referencing old table as gone for each statement execute function storage.keep_deleted()',
      ])
        await expect(client.query(text), text).rejects.toMatchObject({ code: '42501' })
    } finally {
      await client.end()
    }
  },
)

test('many are deleted by one statement at the price of each', async () => {
  const fill = (from: number, to: number) =>
    plane.sql(`insert into storage.objects (bucket_id, name, version)
      select 'own', n::text, 'v' || n from generate_series(${from}, ${to}) n`)
  await fill(1, 20_000)
  await plane.sql(`begin; set local storage.allow_delete_query = 'true';
    delete from storage.objects; commit`)
  expect(await plane.sql('select count(*)::int as n from storage.trash')).toEqual([{ n: 20_000 }])
  expect((await list()).items).toHaveLength(100)
  await plane.sql('analyze storage.trash')
  const plan = await plane.sql(`explain select * from storage.trash where bucket_id = 'own'
    and deleted_at > now() - interval '7 days' order by deleted_at desc, id desc limit 100`)
  expect(JSON.stringify(plan)).toMatch(/Index Scan Backward using trash_(?:bucket|deleted_at)/)
})
