import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, bob, startStorage, type StoragePlane } from '../testing/storage/storage.ts'

let plane: StoragePlane
beforeAll(async () => {
  plane = await startStorage()
})
afterAll(() => plane.close())

const textOf = async (got: { data: Blob | null }) => got.data?.text()

test('buckets live and die', async () => {
  const { service } = plane
  expect(await service.createBucket('b1')).toEqual({ data: { name: 'b1' }, error: null })
  expect((await service.createBucket('b1')).error).toMatchObject({ status: 400, statusCode: '409' })
  const changed = await service.updateBucket('b1', {
    public: true,
    fileSizeLimit: '20MB',
    allowedMimeTypes: ['image/png'],
  })
  expect(changed.data).toEqual({ message: 'Successfully updated' })
  expect((await service.getBucket('b1')).data).toMatchObject({
    id: 'b1',
    name: 'b1',
    owner: '',
    public: true,
    file_size_limit: 20_000_000,
    allowed_mime_types: ['image/png'],
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/) as string,
  })
  const listed = await service.listBuckets({ search: 'B', sortColumn: 'name', sortOrder: 'desc' })
  expect(listed.data?.map(({ id }) => id)).toEqual(['b1'])
  expect((await service.listBuckets({ search: '%' })).data).toEqual([])
  expect((await service.deleteBucket('b1')).data).toEqual({ message: 'Successfully deleted' })
  expect((await service.getBucket('b1')).error).toMatchObject({ status: 400, statusCode: '404' })
})

test('a file goes up, comes down, is described, replaced and removed', async () => {
  const files = plane.service.from('own')
  const up = await files.upload('docs/a.txt', 'one', {
    contentType: 'text/plain',
    cacheControl: '60',
    metadata: { tag: 'x' },
  })
  expect(up.data).toMatchObject({ path: 'docs/a.txt', fullPath: 'own/docs/a.txt' })
  expect((await files.upload('docs/a.txt', 'two')).error).toMatchObject({ statusCode: '409' })
  expect((await files.info('docs/a.txt')).data).toMatchObject({
    id: up.data?.id,
    name: 'docs/a.txt',
    bucketId: 'own',
    size: 3,
    contentType: 'text/plain',
    cacheControl: 'max-age=60',
    metadata: { tag: 'x' },
  })
  expect(await textOf(await files.download('docs/a.txt'))).toBe('one')
  const again = await files.upload('docs/a.txt', new Blob(['two'], { type: 'text/html' }), {
    upsert: true,
    metadata: { n: 2 },
  })
  expect(again.data?.id).toBe(up.data?.id)
  expect(await textOf(await files.download('docs/a.txt'))).toBe('two')
  await files.update('docs/a.txt', new Blob(['three']).stream(), { contentType: 'text/plain' })
  expect(await textOf(await files.download('docs/a.txt'))).toBe('three')
  expect((await files.exists('docs/a.txt')).data).toBe(true)
  const gone = await files.remove(['docs/a.txt', 'docs/never'])
  expect(gone.data?.map(({ name }) => name)).toEqual(['docs/a.txt'])
  expect((await files.exists('docs/a.txt')).data).toBe(false)
  expect((await files.download('docs/a.txt')).error).toMatchObject({ status: 400 })
})

test('moves and copies, between buckets too, keep what is known', async () => {
  const files = plane.service.from('own')
  const { data } = await files.upload('m/1', 'moved', { metadata: { k: 1 } })
  const before = (await files.info('m/1')).data
  expect((await files.copy('m/1', 'm/2')).data).toEqual({ path: 'own/m/2' })
  expect((await files.copy('m/1', 'm/2')).error).toMatchObject({ statusCode: '409' })
  expect((await files.move('m/1', 'm/2')).error).toMatchObject({ statusCode: '409' })
  expect((await files.move('m/never', 'm/3')).error).toMatchObject({ statusCode: '404' })
  expect((await files.move('m/1', 'm/3', { destinationBucket: 'open' })).error).toBeNull()
  const after = (await plane.service.from('open').info('m/3')).data
  expect(after).toMatchObject({ id: data?.id, createdAt: before?.createdAt, metadata: { k: 1 } })
  await files.remove(['m/2'])
  expect(await textOf(await plane.service.from('open').download('m/3'))).toBe('moved')
})

test('policies stand between two users', async () => {
  const [hers, his] = [plane.ada.from('own'), plane.bob.from('own')]
  const path = `${ada}/diary.txt`
  expect((await hers.upload(path, 'secret')).error).toBeNull()
  expect((await hers.upload(`${bob}/planted`, 'x')).error).toMatchObject({
    status: 400,
    statusCode: '403',
    message: 'new row violates row-level security policy for table "objects"',
  })
  for (const who of [his, plane.anon.from('own')]) {
    expect((await who.download(path)).error).toMatchObject({ status: 400 })
    expect((await who.info(path)).error).toMatchObject({ statusCode: '404' })
    expect((await who.list(ada)).data).toEqual([])
    expect((await who.listV2({ prefix: ada })).data?.objects).toEqual([])
    expect((await who.remove([path])).data).toEqual([])
    expect((await who.createSignedUrl(path, 60)).error).toMatchObject({ statusCode: '404' })
    expect((await who.move(path, `${bob}/x`)).error).not.toBeNull()
    expect((await who.copy(path, `${bob}/x`)).error).not.toBeNull()
    expect((await who.upload(path, 'over', { upsert: true })).error).not.toBeNull()
  }
  expect((await plane.anon.createBucket('mine')).error).toMatchObject({ statusCode: '403' })
  expect((await plane.ada.listBuckets()).data).toEqual([])
  expect((await plane.ada.emptyBucket('own')).error).toMatchObject({ statusCode: '403' })
  expect((await hers.list(ada)).data).toMatchObject([{ name: 'diary.txt', metadata: { size: 6 } }])
  expect(await textOf(await hers.download(path))).toBe('secret')
  // Who may only drop something in does not see it, and a policy can name the operation.
  expect((await plane.anon.from('open').upload('in/box', 'hi')).error).toBeNull()
  expect((await plane.anon.from('open').update('in/box', 'ho')).error).not.toBeNull()
  expect((await plane.anon.from('open').list('in')).data).toEqual([])
})

test('addresses that are signed open one object for a while', async () => {
  const files = plane.service.from('own')
  await files.upload('s/a b.txt', 'signed')
  await files.upload('s/other.txt', 'other')
  const { data } = await files.createSignedUrl('s/a b.txt', 60, { download: 'name.txt' })
  const got = await fetch(data?.signedUrl ?? '')
  expect(await got.text()).toBe('signed')
  expect(got.headers.get('content-disposition')).toBe(
    `attachment; filename="name.txt"; filename*=UTF-8''name.txt`,
  )
  const elsewhere = await fetch((data?.signedUrl ?? '').replace('a%20b.txt', 'other.txt'))
  expect(await elsewhere.json()).toMatchObject({ code: 'InvalidSignature', statusCode: '400' })
  const many = await files.createSignedUrls(['s/other.txt', 's/never'], 60)
  expect(many.data).toMatchObject([{ error: null }, { path: 's/never', signedUrl: null }])
  expect(await (await fetch(many.data?.[0]?.signedUrl ?? '')).text()).toBe('other')

  const up = await files.createSignedUploadUrl('s/up.txt')
  const token = up.data?.token ?? ''
  expect((await plane.anon.from('own').uploadToSignedUrl('s/up.txt', token, 'up')).error).toBeNull()
  const second = await plane.anon.from('own').uploadToSignedUrl('s/up.txt', token, 'again')
  expect(second.error).toMatchObject({ statusCode: '409' })
  const wrong = await plane.anon.from('own').uploadToSignedUrl('s/else.txt', token, 'x')
  expect(wrong.error).toMatchObject({ statusCode: '400' })
  const asDownload = await fetch(`${plane.url}/storage/v1/object/sign/own/s/up.txt?token=${token}`)
  expect(await asDownload.json()).toMatchObject({ code: 'InvalidSignature' })
})

test('a public bucket is read by everybody', async () => {
  await plane.service.from('open').upload('p/index.html', '<script>1</script>', {
    contentType: 'text/html',
  })
  const { data } = plane.anon.from('open').getPublicUrl('p/index.html')
  const got = await fetch(data.publicUrl)
  expect(await got.text()).toBe('<script>1</script>')
  expect(got.headers.get('content-security-policy')).toBe('sandbox')
  expect(got.headers.get('x-content-type-options')).toBe('nosniff')
  const hidden = await fetch(plane.anon.from('own').getPublicUrl('p/index.html').data.publicUrl)
  expect([hidden.status, await hidden.json()]).toMatchObject([400, { error: 'Bucket not found' }])
})

test('lists: a level, its order, a search, pages and cursors', async () => {
  const files = plane.service.from('own')
  for (const name of ['a.txt', 'b/1', 'b/2', 'B2.txt', 'b0', 'c/d/e', 'c%', 'z_']) {
    await files.upload(`list/${name.replace('%', '$')}`, 'x')
  }
  const names = async (options = {}) =>
    (await files.list('list', options)).data?.map(({ name, id }) => (id ? name : `${name}/`))
  const all = ['B2.txt', 'a.txt', 'b/', 'b0', 'c$', 'c/', 'z_']
  expect(await names()).toEqual(all)
  expect(await names({ sortBy: { column: 'name', order: 'desc' } })).toEqual(all.toReversed())
  expect(await names({ limit: 2, offset: 3 })).toEqual(all.slice(3, 5))
  expect(await names({ search: 'b' })).toEqual(['B2.txt', 'b/', 'b0'])
  expect(await names({ search: '_' })).toEqual([])
  expect(await names({ sortBy: { column: 'created_at', order: 'desc' } })).toEqual([
    'c/',
    'b/',
    'z_',
    'c$',
    'b0',
    'B2.txt',
    'a.txt',
  ])
  for (const sortBy of [
    { column: 'name', order: 'asc' },
    { column: 'name', order: 'desc' },
    { column: 'created_at', order: 'desc' },
  ] as const) {
    const seen: string[] = []
    let cursor: string | undefined
    for (let page = 0; page < 10; page++) {
      const { data } = await files.listV2({
        prefix: 'list/',
        limit: 3,
        sortBy,
        ...(cursor && { cursor }),
      })
      seen.push(...(data?.objects.map(({ name }) => name) ?? []))
      cursor = data?.nextCursor
      if (!data?.hasNext) break
    }
    expect([seen.length, new Set(seen).size]).toEqual([8, 8])
  }
  // Levels by a moment: folders first, as they have none, in the order of their names.
  await files.upload('list/b!/1', 'x')
  for (const order of ['asc', 'desc'] as const) {
    const pages = async (limit: number) => {
      const seen: string[] = []
      let cursor: string | undefined
      for (let page = 0; page < 20; page++) {
        const { data } = await files.listV2({
          prefix: 'list/',
          with_delimiter: true,
          limit,
          sortBy: { column: 'created_at', order },
          ...(cursor && { cursor }),
        })
        const listed = [...(data?.folders ?? []), ...(data?.objects ?? [])]
        seen.push(...listed.map(({ name }) => name))
        cursor = data?.nextCursor
        if (!data?.hasNext) break
      }
      return seen
    }
    const whole = await pages(100)
    const [row] = await plane.sql(`
      select array_agg(name order by created_at ${order}, name collate "C" ${order}) as names from storage.objects
      where bucket_id = 'own' and name ~ '^list/[^/]+$'`)
    const folders = whole.filter((name) => name.endsWith('/'))
    expect(whole).toEqual([...folders, ...((row?.['names'] ?? []) as string[])])
    expect(folders).toEqual(
      order === 'asc' ? ['list/b/', 'list/b!/', 'list/c/'] : ['list/c/', 'list/b!/', 'list/b/'],
    )
    for (const limit of [1, 2, 3]) expect(await pages(limit)).toEqual(whole)
  }
  await files.remove(['list/b!/1'])
  const level = await files.listV2({ prefix: 'list/b', with_delimiter: true })
  expect(level.data).toMatchObject({
    hasNext: false,
    folders: [{ name: 'list/b/', key: 'list/b' }],
    objects: [{ name: 'list/b0', key: 'list/b0' }],
  })
})

test('what a bucket allows is all that gets in', async () => {
  const files = plane.service.from('small')
  const big = 'x'.repeat(1001)
  expect((await files.upload('big', big, { contentType: 'text/plain' })).error).toMatchObject({
    status: 400,
    statusCode: '413',
  })
  const stream = new Blob([big]).stream()
  const streamed = await files.upload('big', stream, { contentType: 'image/png' })
  expect(streamed.error).toMatchObject({ statusCode: '413' })
  const asFile = await files.upload('big', new Blob([big], { type: 'text/plain' }))
  expect(asFile.error).toMatchObject({ statusCode: '413' })
  const html = await files.upload('page', 'x', { contentType: 'text/html' })
  expect(html.error).toMatchObject({
    statusCode: '415',
    message: 'mime type text/html is not supported',
  })
  expect(
    (await files.upload('ok', 'x', { contentType: 'text/plain;charset=UTF-8' })).error,
  ).toBeNull()
  const full = await plane.ask('/bucket/small', { method: 'DELETE' })
  expect([full.status, await full.json()]).toEqual([
    400,
    {
      statusCode: '409',
      error: 'ResourceNotEmpty',
      message: 'The bucket you tried to delete is not empty',
      code: 'ResourceNotEmpty',
    },
  ])
  expect((await plane.service.emptyBucket('small')).error).toBeNull()
  expect((await plane.service.deleteBucket('small')).error).toBeNull()
})
