import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unzip } from '#kit/testing/unzip'
import type { Backend } from '../backends/backend.ts'
import { createFileBackend } from '../backends/file-backend.ts'
import { signGrant } from '../signed-urls.ts'
import { problemOf, startStorage, type StoragePlane } from '../../testing/storage/storage.ts'

let plane: StoragePlane
let folder: string
/** What has been read of objects, and by whom. */
const readers: Readable[] = []
let read = 0

/** The backend of files, with an eye on its readers. */
function watched(files: Backend): Backend {
  return {
    ...files,
    async read(place, range) {
      const bytes = await files.read(place, range)
      readers.push(bytes)
      const { push } = bytes
      bytes.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
        read += chunk?.length ?? 0
        return push.call(bytes, chunk, encoding)
      }
      return bytes
    },
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-archive-'))
  const backend = watched(createFileBackend(folder))
  plane = await startStorage({ storage: { backend, largest: 50_000_000 } })
})
afterAll(async () => {
  await plane.close()
  await rm(folder, { recursive: true })
})

/** As the control plane asks for it. */
async function asked(paths: unknown, bucket = 'own', name = 'all.zip') {
  const { origin } = new URL(plane.url)
  const path = `/internal/storage/${plane.project.ref}/buckets/${bucket}/objects/archive`
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: {
      authorization: 'Bearer a token that only our own programs know',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ paths, name }),
  })
  const body = (await response.json()) as { url?: string; code?: string; message?: string }
  // The test listens elsewhere than the project says.
  const url = body.url?.replace(plane.project.url, plane.url) ?? ''
  return { status: response.status, code: body.code, message: body.message, url }
}
async function archive(paths: string[], bucket = 'own') {
  const { url } = await asked(paths, bucket)
  const response = await fetch(url)
  expect(response.status).toBe(200)
  return { headers: response.headers, entries: unzip(Buffer.from(await response.arrayBuffer())) }
}
const upload = async (name: string, body: string | Buffer, contentType = 'text/plain') => {
  const { error } = await plane.service.from('own').upload(name, body, { contentType })
  expect(error).toBeNull()
}

test('what cannot be archived is refused before an address is given', async () => {
  expect(await asked(['nothing'])).toMatchObject({ status: 404, code: 'object_not_found' })
  expect(await asked(['nothing/'])).toMatchObject({ status: 404, code: 'object_not_found' })
  expect(await asked(['a'], 'nowhere')).toMatchObject({ status: 404, code: 'bucket_not_found' })
  for (const paths of [[], [''], ['x'.repeat(1025)], 'a', ['a\0b'], Array(1001).fill('a')])
    expect(await asked(paths)).toMatchObject({ status: 400, code: 'invalid_input' })
  expect(await asked(['a'], 'own', '')).toMatchObject({ status: 400 })
})

test('an address opens the one archive that it was made for', async () => {
  await upload('signed.txt', 'signed')
  const { url } = await asked(['signed.txt'])
  const problem = async (address: string) => problemOf(await fetch(address))
  const without = url.split('?', 1)[0] ?? ''
  expect(await problem(without)).toEqual([400, '400', 'InvalidSignature'])
  const { sealingKey } = plane.project
  const choice = without.split('/').at(-1) ?? ''
  const withToken = (grant: Parameters<typeof signGrant>[0], at = without, seconds = 60) =>
    problem(`${at}?token=${signGrant(grant, seconds, sealingKey)}`)
  const ours = { scope: 'archive', url: `own/${choice}` } as const
  const wrong = [400, '400', 'InvalidSignature']
  expect(await withToken({ ...ours, scope: 'download' })).toEqual(wrong)
  expect(await withToken({ ...ours, url: 'own/other' })).toEqual(wrong)
  expect(await withToken(ours, without.replace('/own/', '/open/'))).toEqual(wrong)
  expect(await withToken(ours, without, -1)).toEqual([400, '400', 'ExpiredToken'])
  const [row] = await plane.sql("select version from storage.objects where name = 'signed.txt'")
  // Bytes of an object are no choice, whoever signs for them.
  const version = String(row?.['version'])
  const other = { scope: 'archive', url: `own/${version}` } as const
  expect(await withToken(other, without.replace(choice, version))).toEqual(wrong)
  await createFileBackend(folder).remove([{ ref: plane.project.ref, version: choice }])
  expect(await problem(url)).toEqual([400, '400', 'ExpiredToken'])
})

test('files and folders come as one zip, by name, with their bytes', async () => {
  const noise = randomBytes(3_000_000)
  const text = 'roses '.repeat(100_000)
  await upload('shop/a.txt', text)
  await upload('shop/pictures/noise.png', noise, 'image/png')
  await upload('shop/pictures/2026/none', '')
  await upload('shop/empty/.emptyFolderPlaceholder', '')
  await upload('elsewhere/a.txt', 'another')
  const paths = ['shop/pictures/', 'shop/empty/', 'shop/a.txt', 'elsewhere/a.txt', 'shop/a.txt']
  const { headers, entries } = await archive(paths)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="all.zip"; filename*=UTF-8''all.zip`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  expect([...entries.keys()]).toEqual([
    'a.txt',
    'a (2).txt',
    'empty/',
    'pictures/2026/none',
    'pictures/noise.png',
  ])
  expect(String(entries.get('a.txt'))).toBe('another')
  expect(String(entries.get('a (2).txt'))).toBe(text)
  expect(entries.get('pictures/noise.png')?.equals(noise)).toBe(true)
  const { entries: whole } = await archive(['shop/'])
  expect([...whole.keys()]).toEqual([
    'shop/a.txt',
    'shop/empty/',
    'shop/pictures/2026/none',
    'shop/pictures/noise.png',
  ])
})

test('names of rows that were written by hand stay in the folder', async () => {
  await upload('good', 'good')
  await plane.sql(String.raw`insert into storage.objects (bucket_id, name, version, metadata)
    select 'own', odd, version, metadata from storage.objects o,
      unnest(array['odd/../../evil', 'odd//etc/passwd', 'odd/..\up', 'odd/日本.txt']) as n (odd)
    where o.name = 'good'`)
  const { entries } = await archive(['odd/'])
  expect([...entries.keys()].toSorted()).toEqual([
    'odd/.._up',
    'odd/_/etc/passwd',
    'odd/__/__/evil',
    'odd/日本.txt',
  ])
})

test('what vanishes meanwhile is left out and named', async () => {
  for (const name of ['leave/a', 'leave/b', 'leave/Left out.txt']) await upload(name, name)
  const { url } = await asked(['leave/', 'gone.txt'])
  await plane.sql("update storage.objects set version = null where name = 'leave/b'")
  const entries = unzip(Buffer.from(await (await fetch(url)).arrayBuffer()))
  expect([...entries.keys()]).toEqual(['leave/Left out.txt', 'leave/a', 'Left out.txt'])
  expect(String(entries.get('Left out.txt'))).toBe(
    'These were gone before they could be read:\ngone.txt\nleave/b\n',
  )
})

test('more than 10,000 objects are refused, 10,000 are not', async () => {
  await plane.sql(`insert into storage.objects (bucket_id, name)
    select 'own', 'many/' || n from generate_series(1, 10000) n`)
  expect((await asked(['many/'])).status).toBe(200)
  expect(await asked(['many/', 'good'])).toMatchObject({
    status: 400,
    code: 'invalid_input',
    message: 'An archive has at most 10000 objects',
  })
})

test('it is read as it is taken, and no longer than somebody takes it', async () => {
  const total = 6 * 12_000_000
  for (let at = 0; at < 6; at++) await upload(`large/${at}`, randomBytes(12_000_000), 'image/png')
  const { url } = await asked(['large/'])
  ;[readers.length, read] = [0, 0]
  const call = request(url)
  const response = await new Promise<Readable>((resolve, reject) => {
    call.once('response', (answer) => resolve(answer.pause()))
    call.once('error', reject)
    call.end()
  })
  // Nobody takes it: what fits between the two has been read, and then nothing more.
  let before = -1
  await expect
    .poll(
      () => {
        const stands = read > 0 && read === before
        before = read
        return stands
      },
      { interval: 300 },
    )
    .toBe(true)
  expect(read).toBeLessThan(total / 2)
  expect(readers.length).toBeGreaterThan(0)
  response.destroy()
  await expect.poll(() => readers.filter((reader) => !reader.destroyed)).toEqual([])
  expect(read).toBeLessThan(total / 2)
})

test('bytes that cannot be read break the archive off', async () => {
  const { url } = await asked(['large/'])
  const reading = await fetch(url)
  readers.at(-1)?.destroy(new Error('the disk is gone'))
  await expect(reading.arrayBuffer()).rejects.toThrow()
})
