import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
} from '@aws-sdk/client-s3'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listParted } from './s3-uploads-store.ts'
import { ada, bob } from '../../testing/storage/storage.ts'
import { refusalOf, startS3, type S3Plane } from '../../testing/storage/s3.ts'

const Bucket = 'own'
const keys = [
  'a',
  'd/',
  'd/1',
  'd/1',
  'd/x/1',
  'd/x/2',
  'd/y',
  'd0',
  'e--1',
  'e--2',
  'z&/x y/1',
  'z&/x y/2',
]
let plane: S3Plane
beforeAll(async () => {
  plane = await startS3()
  for (const Key of keys) await begin(Key)
})
afterAll(async () => {
  plane.closeClients()
  await plane.close()
})

const begin = (Key: string, s3 = plane.s3) =>
  s3.send(new CreateMultipartUploadCommand({ Bucket, Key }))
type Ask = Partial<ListMultipartUploadsCommandInput>
const list = (ask: Ask = {}, s3 = plane.s3) =>
  s3.send(new ListMultipartUploadsCommand({ Bucket, ...ask }))
const named = ({ Uploads = [], CommonPrefixes = [] }: ListMultipartUploadsCommandOutput) => [
  Uploads.map(({ Key }) => Key),
  CommonPrefixes.map(({ Prefix }) => Prefix),
]

test.each([
  [{}, keys, []],
  [{ Prefix: 'd/' }, ['d/', 'd/1', 'd/1', 'd/x/1', 'd/x/2', 'd/y'], []],
  [{ Delimiter: '/' }, ['a', 'd0', 'e--1', 'e--2'], ['d/', 'z&/']],
  [{ Delimiter: '/', Prefix: 'd' }, ['d0'], ['d/']],
  [{ Delimiter: '/', Prefix: 'd/' }, ['d/', 'd/1', 'd/1', 'd/y'], ['d/x/']],
  [{ Delimiter: '/', Prefix: 'z&/' }, [], ['z&/x y/']],
  [{ Delimiter: 'y/1' }, keys.filter((key) => key !== 'z&/x y/1'), ['z&/x y/1']],
  [{ Delimiter: '--', Prefix: 'e' }, [], ['e--']],
  [{ Delimiter: '/', Prefix: 'nothing' }, [], []],
  [{ Delimiter: '/', KeyMarker: 'a' }, ['d0', 'e--1', 'e--2'], ['d/', 'z&/']],
  [{ Delimiter: '/', KeyMarker: 'd/' }, ['d0', 'e--1', 'e--2'], ['z&/']],
  // Not itself what keys have in common: there are more of these behind it.
  [{ Delimiter: '/', KeyMarker: 'd/x/1' }, ['d0', 'e--1', 'e--2'], ['d/', 'z&/']],
  [{ Delimiter: '/', Prefix: 'd/', KeyMarker: 'd/x/' }, ['d/y'], []],
  [{ Delimiter: '/', KeyMarker: 'z&/' }, [], []],
  [{ KeyMarker: 'd/1' }, keys.slice(4), []],
  [{ UploadIdMarker: 'z' }, keys, []],
])('%o', async (ask, uploads, common) => {
  const answer = await list(ask)
  expect(named(answer)).toEqual([uploads, common])
  expect([answer.Delimiter, answer.IsTruncated]).toEqual([
    'Delimiter' in ask ? ask.Delimiter : undefined,
    false,
  ])
})

test.each([{ Prefix: '\0' }, { Delimiter: '\0' }, { KeyMarker: 'a', UploadIdMarker: '\0' }])(
  '%j is refused',
  async (ask) => {
    expect((await refusalOf(list(ask)))[1]).toBe(400)
  },
)

test.each([1, 2, 3, 5])('pages of %d are the whole list, each entry once', async (MaxUploads) => {
  for (const ask of [{ Delimiter: '/' }, { Delimiter: '/', Prefix: 'd/' }, { Prefix: 'd' }]) {
    const found: unknown[] = []
    let place: Pick<Ask, 'KeyMarker' | 'UploadIdMarker'> = {}
    for (let more = true; more;) {
      const page = await list({ ...ask, MaxUploads, ...place })
      const entries = [...(page.Uploads ?? []), ...(page.CommonPrefixes ?? [])]
      expect(entries.length).toBeLessThanOrEqual(MaxUploads)
      found.push(...entries.map((entry) => ('Prefix' in entry ? entry.Prefix : entry)))
      more = page.IsTruncated === true
      const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
      expect(KeyMarker !== undefined).toBe(more)
      place = { KeyMarker, UploadIdMarker }
    }
    const whole = await list(ask)
    const all = [...(whole.Uploads ?? []), ...(whole.CommonPrefixes ?? []).map((one) => one.Prefix)]
    expect(found).toHaveLength(all.length)
    expect(new Set(found.map((one) => JSON.stringify(one)))).toEqual(
      new Set(all.map((one) => JSON.stringify(one))),
    )
  }
})

test('uploads of one key come in the order of their beginning', async () => {
  const ids: (string | undefined)[] = []
  for (let at = 0; at < 5; at++) {
    ids.push((await begin('same')).UploadId)
    const now = Date.now()
    await expect.poll(Date.now, { interval: 1 }).toBeGreaterThan(now)
  }
  const { Uploads } = await list({ Prefix: 'same' })
  expect(Uploads?.map(({ UploadId }) => UploadId)).toEqual(ids)
  const behind = await list({ Prefix: 'same', KeyMarker: 'same', UploadIdMarker: ids[2] ?? '' })
  expect(behind.Uploads?.map(({ UploadId }) => UploadId)).toEqual(ids.slice(3))
})

test('names are written for addresses where that is asked for', async () => {
  const ask = { Delimiter: '/', KeyMarker: 'e--2', EncodingType: 'url' as const }
  expect(await list(ask)).toMatchObject({
    EncodingType: 'url',
    KeyMarker: 'e--2',
    CommonPrefixes: [{ Prefix: 'z%26/' }],
  })
  const truncated = await list({ ...ask, Prefix: 'z&/', Delimiter: ' ', MaxUploads: 0 })
  expect(truncated.Delimiter).toBe('%20')
})

test('what others have begun is not in sight by its first part either', async () => {
  await begin(`${ada}/mine`, plane.s3OfAda)
  const bobs = plane.client(plane.session(plane.token({ role: 'authenticated', sub: bob })))
  expect(named(await list({ Delimiter: '/' }, plane.s3OfAda))).toEqual([[], [`${ada}/`]])
  for (const hands of [bobs, plane.s3OfAnon])
    expect(named(await list({ Delimiter: '/' }, hands))).toEqual([[], []])
  expect(await refusalOf(list({ Bucket: 'nothing', Delimiter: '/' }))).toEqual([
    'NoSuchBucket',
    404,
  ])
})

/** Pages of the database that are looked at for a page of the list. */
async function pagesRead(): Promise<number> {
  await plane.sql('analyze storage.s3_multipart_uploads')
  const ask = { prefix: '', delimiter: '/', afterKey: '', afterId: '', max: 3, owner: null }
  const { text, values } = listParted({ bucket: 'small', isAll: true, ...ask })
  const client = new Client(plane.database.configFor('authenticator_service_role'))
  await client.connect()
  try {
    const explain = `explain (analyze, buffers, format json) ${text}`
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>({
      text: explain,
      values: [...values],
    })
    const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } =
      rows[0]?.['QUERY PLAN'][0]?.Plan ?? {}
    return hit + read
  } finally {
    await client.end()
  }
}

test('a page costs the same however many uploads are under way behind it', async () => {
  const fill = (from: number, to: number) =>
    plane.sql(`insert into storage.s3_multipart_uploads (id, upload_signature, bucket_id, key, version)
      select 'many-' || n, 's3', 'small', 'f' || lpad((n / 4)::text, 6, '0') || '/' || n, ''
      from generate_series(${from}, ${to}) n`)
  await fill(4, 2000)
  const few = await pagesRead()
  await fill(2001, 60_000)
  expect(await pagesRead()).toBeLessThan(few * 2)
  const page = await list({ Bucket: 'small', Delimiter: '/', MaxUploads: 2 })
  expect(named(page)).toEqual([[], ['f000001/', 'f000002/']])
  expect([page.NextKeyMarker, page.NextUploadIdMarker]).toEqual(['f000002/', undefined])
})
