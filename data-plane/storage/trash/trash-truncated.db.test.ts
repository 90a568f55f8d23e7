import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startStorage, type StoragePlane } from '../../testing/storage/storage.ts'

let plane: StoragePlane
beforeAll(async () => {
  plane = await startStorage()
})
afterAll(() => plane.close())
beforeEach(() => plane.sql('truncate storage.objects; truncate storage.trash'))

const put = async (name: string) =>
  expect((await plane.service.from('own').upload(name, name)).error).toBeNull()
const trashed = async () => Object.keys(await plane.trashed())
const list = async () => {
  const { body } = await plane.own('GET', '/trash')
  return body['items'] as { id: string; name: string }[]
}

test('what a truncation takes away can be had back; one that is taken back leaves no trace', async () => {
  for (const name of ['a', 'b']) await put(name)
  await plane.sql(`insert into storage.objects (bucket_id, name) values ('own', 'without bytes')`)
  await plane.sql('begin; truncate storage.objects; rollback')
  expect(await trashed()).toEqual([])
  await plane.sql('truncate only storage.objects restart identity')
  expect(await plane.sql('select from storage.objects')).toEqual([])
  expect(await plane.trashed()).toEqual({ a: 'postgres', b: 'postgres' })
  const id = (await list()).find(({ name }) => name === 'a')?.id ?? ''
  expect((await plane.own('POST', `/trash/${id}`, {})).status).toBe(200)
  expect(await (await plane.service.from('own').download('a')).data?.text()).toBe('a')
  await plane.sql('truncate storage.objects')
  expect(await trashed()).toEqual(['a', 'b'])
})

test('who may truncate need not reach the trash', async () => {
  await put('a')
  const client = new Client(plane.database.configFor('authenticator_service_role'))
  await client.connect()
  try {
    await expect(client.query('select from storage.trash')).rejects.toMatchObject({ code: '42501' })
    await client.query('truncate storage.objects')
  } finally {
    await client.end()
  }
  expect(await trashed()).toEqual(['a'])
})

test('buckets that are truncated take their objects and their trash with them', async () => {
  for (const name of ['earlier', 'now']) await put(name)
  await plane.service.from('own').remove(['earlier'])
  const refused = plane.sql('truncate storage.buckets')
  await expect(refused).rejects.toMatchObject({ code: '0A000' })
  const names = (await plane.sql('select id from storage.buckets')).map(({ id }) => String(id))
  await plane.sql('truncate storage.buckets cascade')
  expect(await plane.sql('select from storage.objects')).toEqual([])
  for (const name of names) await plane.service.createBucket(name)
  expect(await list()).toEqual([])
  const left = await plane.sql(
    'select name, deleted_at::text as at from storage.trash order by name',
  )
  expect(left).toEqual([
    { name: 'earlier', at: '-infinity' },
    { name: 'now', at: '-infinity' },
  ])
})

test('where policies hold for the owner of the table too, nothing is truncated past the trash', async () => {
  await put('kept')
  await plane.sql('alter table storage.objects force row level security')
  try {
    const refused = plane.sql('truncate storage.objects')
    await expect(refused).rejects.toMatchObject({ code: '42501' })
  } finally {
    await plane.sql('alter table storage.objects no force row level security')
  }
  expect((await plane.service.from('own').list()).data).toHaveLength(1)
})
