import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStorageWorld, type StorageWorld } from '../../testing/storage.ts'

let world: StorageWorld
beforeAll(async () => {
  world = await startStorageWorld()
  for (const name of ['a.txt', 'b.txt', 'docs/one.txt', 'docs/two words.txt'])
    expect(await world.upload(name, `this is ${name}`)).toBe('uploaded')
})
afterAll(() => world.planes.end())

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const changes: [method: Method, path: string, body?: object][] = [
  ['POST', '/buckets', { name: 'new' }],
  ['PATCH', '/buckets/files', { public: true }],
  ['DELETE', '/buckets/files'],
  ['POST', '/buckets/files/objects/upload', { paths: ['x'] }],
  ['POST', '/buckets/files/objects/folder', { path: 'x' }],
  ['POST', '/buckets/files/objects/move', { from: 'a.txt', to: 'c.txt' }],
  ['POST', '/buckets/files/objects/copy', { from: 'a.txt', to: 'c.txt' }],
  ['POST', '/buckets/files/objects/sign', { path: 'a.txt', expires_in: 60 }],
  ['POST', '/buckets/files/objects/sign-multi', { paths: ['a.txt'], expires_in: 60 }],
  ['DELETE', '/buckets/files/objects', { paths: ['a.txt'] }],
]
const looks: [method: Method, path: string, body?: object][] = [
  ['GET', '/buckets'],
  ['GET', '/buckets/files'],
  ['GET', '/usage'],
  ['POST', '/buckets/files/objects/list', {}],
  ['POST', '/buckets/files/objects/download', { path: 'a.txt' }],
  ['POST', '/buckets/files/objects/archive', { paths: ['docs/'], name: 'docs.zip' }],
]

test.each(changes)(
  '%s %s: strangers find no project, Read-only members may not',
  async (method, path, body) => {
    const { base, stranger, reader } = world
    expect(await stranger.call(method, base + path, body)).toMatchObject({ status: 404 })
    expect(await reader.call(method, base + path, body)).toMatchObject({
      status: 403,
      body: { code: 'not_allowed' },
    })
  },
)

test.each(looks)('%s %s: strangers find nothing, Read-only members see', async (...[m, p, b]) => {
  const { base, stranger, reader } = world
  expect(await stranger.call(m, base + p, b)).toMatchObject({ status: 404 })
  expect(await reader.call(m, base + p, b)).toMatchObject({ status: 200 })
})

const long = 'x'.repeat(1025)
const cursor = Buffer.from(JSON.stringify({ by: 'another list', after: 'x' })).toString('base64url')
test.each([
  [400, 'POST', '/buckets', { name: 'Capital' }],
  [400, 'POST', '/buckets', { name: '-x' }],
  [400, 'POST', '/buckets', { name: 'a b' }],
  [400, 'POST', '/buckets', { name: 'x', allowed_mime_types: ['png'] }],
  [400, 'POST', '/buckets', { name: 'x', file_size_limit: 0 }],
  [400, 'POST', '/buckets', { name: 'x', file_size_limit: 50_000_001 }],
  [409, 'POST', '/buckets', { name: 'files' }],
  [400, 'PATCH', '/buckets/files', {}],
  [404, 'PATCH', '/buckets/nothing', { public: true }],
  [404, 'GET', '/buckets/nothing'],
  [404, 'DELETE', '/buckets/nothing'],
  [409, 'DELETE', '/buckets/files'],
  [404, 'POST', '/buckets/nothing/objects/list', {}],
  [400, 'POST', '/buckets/files/objects/list', { sort: 'size' }],
  [400, 'POST', '/buckets/files/objects/list', { limit: 1001 }],
  [400, 'POST', '/buckets/files/objects/list', { cursor: 'x' }],
  [400, 'POST', '/buckets/files/objects/list', { cursor }],
  [404, 'POST', '/buckets/files/objects/download', { path: 'nothing' }],
  [400, 'POST', '/buckets/files/objects/archive', { paths: ['a.txt'] }],
  [400, 'POST', '/buckets/files/objects/archive', { paths: [], name: 'a.zip' }],
  [404, 'POST', '/buckets/files/objects/archive', { paths: ['nothing/'], name: 'a.zip' }],
  [404, 'POST', '/buckets/nothing/objects/archive', { paths: ['a.txt'], name: 'a.zip' }],
  [409, 'POST', '/buckets/files/objects/public-url', { path: 'a.txt' }],
  [404, 'POST', '/buckets/files/objects/sign', { path: 'nothing', expires_in: 60 }],
  [400, 'POST', '/buckets/files/objects/sign', { path: 'a.txt', expires_in: 1 }],
  [400, 'POST', '/buckets/files/objects/sign-multi', { paths: [], expires_in: 60 }],
  [404, 'POST', '/buckets/nothing/objects/upload', { paths: ['x'] }],
  [400, 'POST', '/buckets/files/objects/upload', { paths: [] }],
  [400, 'POST', '/buckets/files/objects/folder', { path: '../x' }],
  [400, 'POST', '/buckets/files/objects/folder', { path: long }],
  [400, 'POST', '/buckets/files/objects/move', { from: 'a.txt', to: 'x//y' }],
  [404, 'POST', '/buckets/files/objects/move', { from: 'nothing', to: 'x' }],
  [409, 'POST', '/buckets/files/objects/move', { from: 'a.txt', to: 'b.txt' }],
  [404, 'POST', '/buckets/files/objects/move', { from: 'a.txt', to: 'x', to_bucket: 'nothing' }],
  [409, 'POST', '/buckets/files/objects/copy', { from: 'a.txt', to: 'b.txt' }],
  [404, 'POST', '/buckets/files/objects/copy', { from: 'nothing', to: 'x' }],
  [404, 'DELETE', '/buckets/nothing/objects', { paths: ['x'] }],
  [400, 'DELETE', '/buckets/files/objects', {}],
  [400, 'DELETE', '/buckets/files/objects?path=x', { paths: ['x'] }],
  [400, 'DELETE', '/buckets/files/objects', { paths: ['bad\u0000name'] }],
] as [number, Method, string, object?][])('%i: %s %s %o', async (status, method, path, body) => {
  const answer = await world.ada.call(method, world.base + path, body)
  expect(answer).toMatchObject({ status })
  expect(answer.body['requestId']).toBeTypeOf('string')
})

const names = async (body: object) => {
  const { status, body: answer } = await world.ada.call(
    'POST',
    `${world.bucket}/objects/list`,
    body,
  )
  expect(status).toBe(200)
  const { entries, next } = answer as { entries: { name: string }[]; next: string | null }
  return { names: entries.map(({ name }) => name), entries, next }
}
async function all(body: object) {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await names({ ...body, limit: 2, ...(cursor && { cursor }) })
    found.push(...page.names)
    cursor = page.next ?? undefined
  } while (cursor)
  return found
}

test('a Developer makes a bucket, changes it and deletes it', async () => {
  const { developer, base } = world
  const requested = { name: 'pictures', public: true, allowed_mime_types: ['image/*'] }
  expect(await developer.call('POST', `${base}/buckets`, requested)).toMatchObject({ status: 201 })
  const change = { public: false, file_size_limit: 1000, allowed_mime_types: null }
  const one = `${base}/buckets/pictures`
  expect(await developer.call('PATCH', one, change)).toMatchObject({ status: 200 })
  expect((await developer.call('GET', one)).body).toMatchObject(change)
  expect(await developer.call('DELETE', one)).toMatchObject({ status: 200 })
  expect(await developer.call('GET', one)).toMatchObject({ status: 404 })
})

test('a folder is listed level by level, in pages, both ways and by other columns', async () => {
  expect((await names({})).entries).toMatchObject([
    { name: 'a.txt', size: 13, type: 'text/plain' },
    { name: 'b.txt' },
    { name: 'docs', id: null },
  ])
  expect(await all({})).toEqual(['a.txt', 'b.txt', 'docs'])
  expect(await all({ order: 'desc' })).toEqual(['docs', 'b.txt', 'a.txt'])
  expect(await all({ path: 'docs' })).toEqual(['one.txt', 'two words.txt'])
  expect(await all({ sort: 'created_at' })).toEqual(['docs', 'a.txt', 'b.txt'])
  expect(await all({ sort: 'created_at', order: 'desc' })).toEqual(['docs', 'b.txt', 'a.txt'])
  expect(await all({ search: 'A' })).toEqual(['a.txt'])
  expect(await all({ search: '%' })).toEqual([])
})

test('what is uploaded is read by an address that is good for a while, and replaced only when asked', async () => {
  const { ada, bucket, here, upload } = world
  const address = async (kind: string, body: object) =>
    here(String((await ada.call('POST', `${bucket}/objects/${kind}`, body)).body['url']))
  const path = 'docs/two words.txt'
  expect(await upload(path, 'x')).toBe('name_taken')
  expect(await upload(path, 'replaced', 'text/plain', true)).toBe('uploaded')
  const seen = await fetch(await address('download', { path }))
  expect([await seen.text(), seen.headers.get('content-disposition')]).toEqual(['replaced', null])
  expect(seen.headers.get('content-security-policy')).toContain('sandbox')
  const saved = await fetch(await address('download', { path, name: 'x.txt' }))
  expect(saved.headers.get('content-disposition')).toContain('attachment; filename="x.txt"')
  expect((await fetch(await address('sign', { path, expires_in: 60 }))).status).toBe(200)
  const many = { paths: [path, 'nothing'], expires_in: 60 }
  expect((await ada.call('POST', `${bucket}/objects/sign-multi`, many)).body).toMatchObject({
    urls: [{ path, url: expect.stringContaining('/two%20words.txt?token=') }, { url: null }],
  })
})

test('a public bucket has public addresses', async () => {
  const { ada, base, bucket, here } = world
  await ada.call('PATCH', `${base}/buckets/files`, { public: true })
  const { body } = await ada.call('POST', `${bucket}/objects/public-url`, { path: 'a.txt' })
  expect(await (await fetch(here(String(body['url'])))).text()).toBe('this is a.txt')
  await ada.call('PATCH', `${base}/buckets/files`, { public: false })
  expect((await fetch(here(String(body['url'])))).status).toBe(400)
})

test('objects are moved, copied and removed; a folder is made with nothing in it', async () => {
  const { ada, bucket } = world
  const at = `${bucket}/objects`
  expect(await ada.call('POST', `${at}/folder`, { path: 'empty' })).toMatchObject({ status: 201 })
  expect(await ada.call('POST', `${at}/folder`, { path: 'empty' })).toMatchObject({ status: 409 })
  expect(await all({ path: 'empty' })).toEqual([])
  expect(await all({ search: 'emp' })).toEqual(['empty'])
  await ada.call('POST', `${at}/copy`, { from: 'a.txt', to: 'copies/a.txt' })
  await ada.call('POST', `${at}/move`, { from: 'copies/a.txt', to: 'copies/b.txt' })
  expect(await all({ path: 'copies' })).toEqual(['b.txt'])
  const gone = { paths: ['copies/b.txt', 'empty/.emptyFolderPlaceholder', 'nothing'] }
  expect((await ada.call('DELETE', at, gone)).body).toMatchObject({ removed: 2 })
  expect(await all({})).toEqual(['a.txt', 'b.txt', 'docs'])
})

test('usage adds up by bucket', async () => {
  const { ada, base } = world
  const [truth] = await world.sql(
    "select count(*)::int as objects, sum((metadata->>'size')::int)::int as bytes from storage.objects",
  )
  expect((await ada.call('GET', `${base}/usage`)).body).toEqual({
    buckets: [{ id: 'files', ...truth }],
    trash: { objects: 2, bytes: 13 },
  })
})

test('the audit log of the organization tells who changed what, and no names of files', async () => {
  const { developer, bucket, planes } = world
  await developer.call('DELETE', `${bucket}/objects`, { paths: ['secret name.txt'] })
  const entries = await planes.plane.db
    .selectFrom('platform.audit_entries')
    .select(['action', 'target', 'change'])
    .where('actor_email', '=', 'developer@example.com')
    .where('action', 'like', 'storage.%')
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  const change = { after: { bucket: 'files', objects: 1 } }
  expect(entries).toEqual([{ action: 'storage.remove', target: `project:${planes.ref}`, change }])
})

test('while the organization is restricted, files are seen and not changed', async () => {
  const { ada, bucket, planes, upload } = world
  const become = (status: string | null) =>
    sql`update platform.organizations set restriction_status = ${status} where slug = 'acme'`.execute(
      planes.plane.db,
    )
  await become('restricted')
  // Settings that change make the data plane ask anew, as the billing round does when it restricts.
  await planes.set({ JWT_EXP: 3001 })
  expect(await ada.call('DELETE', `${bucket}/objects`, { paths: ['a.txt'] })).toMatchObject({
    status: 402,
  })
  expect((await names({})).names).toContain('a.txt')
  await become(null)
  await planes.set({ JWT_EXP: 3002 })
  expect(await upload('late.txt', 'x')).toBe('uploaded')
})
