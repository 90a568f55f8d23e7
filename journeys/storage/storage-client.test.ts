import { randomBytes } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import sharp from 'sharp'
import { Upload } from 'tus-js-client'
import { beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createOrganization, createProject, reaches, runSql, signUp } from '../testing/client.ts'
import type { Person, Project } from '../testing/client.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { childOf } from '../testing/processes.ts'

/** A project's storage with the unmodified client: what two users see of each other, and an upload that outlives the service. */
let platform: Platform
let owner: Person
let project: Project
beforeAll(async () => {
  platform = await ownPlatform()
  owner = await signUp(platform.url, 'ada@example.com')
  project = await createProject(owner, await createOrganization(owner, 'Acme'), 'Album')
  await reaches(owner, project.ref, ['ACTIVE_HEALTHY'])
})

const sessionless = {
  auth: { persistSession: false, autoRefreshToken: false },
  // The types of ws and of the DOM differ in parts that are not used here.
  realtime: { transport: WebSocket as never },
}
const asService = () => createClient(project.endpoint, project.serviceKey, sessionless)

async function user(email: string) {
  const password = 'a long password of a user'
  const made = await asService().auth.admin.createUser({ email, password, email_confirm: true })
  expect(made.error).toBeNull()
  const client = createClient(project.endpoint, project.anonKey, sessionless)
  const { data } = await client.auth.signInWithPassword({ email, password })
  return { id: data.user?.id ?? '', token: data.session?.access_token ?? '', client }
}

test('a picture goes up, is listed, signed, rendered and deleted, and nobody else sees it', async () => {
  expect((await asService().storage.createBucket('album')).error).toBeNull()
  await runSql(
    owner,
    project.ref,
    `create policy "own folder" on storage.objects for all to authenticated
      using (bucket_id = 'album' and (storage.foldername(name))[1] = (select auth.uid())::text)`,
  )
  const [ada, eve] = [await user('ada@shop.test'), await user('eve@shop.test')]
  const create = { width: 400, height: 200, channels: 3, background: '#3e5c76' } as const
  const picture = await sharp({ create }).png().toBuffer()
  const [mine, theirs] = [ada, eve].map(({ client }) => client.storage.from('album'))
  if (!mine || !theirs) throw new Error('Two users have two views')
  const path = `${ada.id}/sea.png`

  expect((await theirs.upload(path, picture)).error?.message).toContain('row-level security')
  expect((await mine.upload(path, picture, { contentType: 'image/png' })).error).toBeNull()
  expect((await mine.list(ada.id)).data?.map(({ name }) => name)).toEqual(['sea.png'])
  expect((await theirs.list(ada.id)).data).toEqual([])
  expect((await theirs.createSignedUrl(path, 60)).data).toBeNull()

  const signed = await mine.createSignedUrl(path, 60, { transform: { width: 100, height: 50 } })
  const rendered = await fetch(signed.data?.signedUrl ?? '')
  expect(rendered.status).toBe(200)
  const { width, height } = await sharp(await rendered.arrayBuffer()).metadata()
  expect([width, height]).toEqual([100, 50])

  expect((await theirs.remove([path])).data).toEqual([])
  expect((await mine.remove([path])).data?.map(({ name }) => name)).toEqual([path])
  expect((await fetch(signed.data?.signedUrl ?? '')).status).toBe(400)
})

test('an upload goes on where it was when the service was killed in the middle of it', async () => {
  const bytes = randomBytes(24 * 1024 * 1024)
  const ada = await user('tom@shop.test')
  const objectName = `${ada.id}/film.bin`
  let killed = 0
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(bytes, {
      endpoint: `${project.endpoint}/storage/v1/upload/resumable`,
      headers: { authorization: `Bearer ${ada.token}` },
      metadata: { bucketName: 'album', objectName, contentType: 'application/octet-stream' },
      chunkSize: 6 * 1024 * 1024,
      uploadDataDuringCreation: true,
      // Until the service is back, for as long as a slow machine takes.
      retryDelays: Array.from({ length: 120 }, () => 500),
      onChunkComplete: (_, accepted) => {
        if (killed > 0 || accepted >= bytes.length) return
        killed = childOf(platform.process.pid ?? 0, 'data-plane.js') ?? 0
        process.kill(killed, 'SIGKILL')
      },
      onError: reject,
      onSuccess: () => resolve(),
    })
    upload.start()
  })
  expect(killed).toBeGreaterThan(0)
  const { data } = await ada.client.storage.from('album').download(objectName)
  expect(
    Buffer.compare(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)), bytes),
  ).toBe(0)
})

test('a folder is moved whole, whoever is killed in the middle of it', async () => {
  const count = 20_000
  const keys = (folder: string) =>
    runSql(
      owner,
      project.ref,
      `select count(*)::int as n from storage.objects where bucket_id = 'album' and name like '${folder}/%'`,
    )
  await runSql(
    owner,
    project.ref,
    `insert into storage.objects (bucket_id, name)
      select 'album', 'old/' || i || '.txt' from generate_series(1, ${count}) i`,
  )
  const path = `/platform/storage/${project.ref}/jobs`
  const items = [{ from: 'old/', to: 'new/' }]
  const { status } = await owner.call('POST', path, { kind: 'move', bucket: 'album', items })
  expect(status).toBe(201)
  type Job = { status: string; done: number; failed: number }
  /** Undefined while the platform comes back. */
  const job = async () => {
    const { body } = await owner.call('GET', path).catch(() => ({ body: {} }))
    // A list, when it is one at all.
    return (Object.values(body) as Job[]).find((each) => typeof each === 'object')
  }
  for (const program of ['control-plane.js', 'data-plane.js']) {
    const before = (await job())?.done ?? 0
    // On a fast machine the rest may be done before anybody can look.
    const goesOn = async () => {
      const now = await job()
      return now !== undefined && (now.done > before || now.status !== 'RUNNING')
    }
    await expect.poll(goesOn, { interval: 20, timeout: 60_000 }).toBe(true)
    const pid = childOf(platform.process.pid ?? 0, program)
    if (pid) process.kill(pid, 'SIGKILL')
  }
  await expect.poll(async () => (await job())?.status, { timeout: 90_000 }).toBe('DONE')
  expect(await job()).toMatchObject({ failed: 0 })
  expect(await keys('old')).toEqual([{ n: 0 }])
  expect(await keys('new')).toEqual([{ n: count }])
})
