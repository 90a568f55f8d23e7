import { createClient } from '@supabase/supabase-js'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { root } from '#kit/root'
import {
  createOrganization,
  createProject,
  personWith,
  reaches,
  runSql,
  signUp,
  type Person,
  type Project,
} from '../testing/client.ts'
import { atEnd } from '../testing/ends.ts'
import { newHome, startPlatform, type Platform } from '../testing/platform.ts'
import { until } from '../testing/processes.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { wrongsOf } from '../testing/world.ts'

const passphrase = 'seven grey herons by the weir'
const login = { email: 'ada@example.com', password: 'Str0ng-enough!' }
let platform: Platform
let ada: Person
let books: Project
let asleep: string
/** In the trash. */
let deleted: string
let trash: string
let folder: string
let backup: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-platform-backup-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  backup = join(folder, 'monday')
  platform = await ownPlatform({ environment: { PLINTH_TRASH_DAYS: '30' } })
  ada = await signUp(platform.url, login.email, login.password)
  const slug = await createOrganization(ada, 'Acme')
  books = await createProject(ada, slug, 'Books')
  asleep = (await createProject(ada, slug, 'Asleep')).ref
  for (const ref of [books.ref, asleep]) await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  deleted = (await createProject(ada, slug, 'Deleted')).ref
  trash = `/platform/organizations/${slug}/trash`
  await reaches(ada, deleted, ['ACTIVE_HEALTHY'])
  for (const ref of [asleep, deleted])
    await runSql(ada, ref, `create table notes (text text); insert into notes values ('kept')`)
  await ada.call('POST', `/platform/projects/${asleep}/pause`)
  await reaches(ada, asleep, ['INACTIVE'])
  await ada.call('DELETE', `/platform/projects/${deleted}`)
  await until('it waits in the trash', async () => {
    const { body } = await ada.call('GET', trash)
    return JSON.stringify(body).includes('"waiting"')
  })
  await runSql(
    ada,
    books.ref,
    `create table books (id int primary key, title text); insert into books values (1, 'Emma');
     insert into storage.buckets (id, name, public) values ('files', 'files', false)`,
  )
  const stored = await client(books.serviceKey).storage.from('files').upload('a.txt', 'bytes')
  expect(stored.error).toBeNull()
  const made = await ada.call('POST', `/platform/projects/${books.ref}/functions/hello/versions`, {
    files: [{ path: 'index.ts', content: `Deno.serve(() => new Response('hello'))` }],
    verify_jwt: false,
  })
  expect(made.status).toBe(201)
})

const client = (key: string) =>
  createClient(books.endpoint, key, {
    auth: { persistSession: false },
    // Node 20 has no WebSocket of its own; nothing here opens one.
    realtime: { transport: WebSocket as never },
  })

/** `plinth backup FOLDER` as somebody types it, for a home. */
function plinth(home: string, words: string[], phrase = passphrase) {
  return new Promise<{ code: number; all: string }>((resolve) => {
    const env = {
      PATH: process.env['PATH'],
      PLINTH_HOME: home,
      PLINTH_BACKUP_PASSPHRASE: phrase,
    }
    const program = join(root, 'dist/server/backup.js')
    const child = execFile(process.execPath, [program, ...words], { env }, (error, out, said) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, all: out + said }),
    )
    child.stdin?.end()
  })
}
async function freshHome(): Promise<string> {
  const home = await newHome()
  atEnd(() => rm(home, { recursive: true, force: true }))
  return home
}
/** Changes one byte in the middle of a file. */
async function spoil(path: string): Promise<void> {
  const file = await open(path, 'r+')
  const at = Math.floor((await file.stat()).size / 2)
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at)
  await file.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, at)
  await file.close()
}

test('what cannot be backed up says why, and leaves nothing', async () => {
  const short = await plinth(platform.home, ['backup', backup], 'short')
  expect(short).toEqual({ code: 1, all: 'plinth: a passphrase needs 12 characters at least\n' })
  const none = await plinth(platform.home, ['backup', backup], '')
  expect(none.all).toContain('set PLINTH_BACKUP_PASSPHRASE')
  const nowhere = await plinth(await freshHome(), ['backup', backup])
  expect(nowhere).toMatchObject({ code: 1, all: expect.stringContaining('no platform') as string })
  expect(await readdir(folder)).toEqual([])
})

test('a platform is backed up while it runs, and read back', async () => {
  expect(await plinth(platform.home, ['backup', backup])).toMatchObject({
    code: 0,
    all: expect.stringContaining('read back: 3 projects, 1 stored files') as string,
  })
  expect(await readdir(folder)).toEqual(['monday'])
  expect((await stat(backup)).mode & 0o777).toBe(0o700)
  expect((await stat(join(backup, 'platform.tar.gz'))).mode & 0o777).toBe(0o600)
  expect((await plinth(platform.home, ['backup', 'verify', backup])).code).toBe(0)
  const again = await plinth(platform.home, ['backup', backup])
  expect(again.all).toContain('is there already')
})

test('a backup that is not whole, or not opened, restores nothing', async () => {
  const home = await freshHome()
  const wrong = await plinth(home, ['restore', backup], 'another passphrase')
  expect(wrong).toMatchObject({
    code: 1,
    all: expect.stringContaining('the passphrase is not the one of this backup') as string,
  })
  const object = await readdir(join(backup, 'objects', books.ref), { recursive: true })
  const stored = join('objects', books.ref, object.find((name) => name.includes('/')) ?? '')
  const parts = ['platform.tar.gz', 'manifest.json', 'keys.sealed', stored]
  for (const part of [...parts, join('projects', books.ref, 'base.tar.gz')]) {
    const damaged = join(folder, 'damaged')
    await cp(backup, damaged, { recursive: true })
    await spoil(join(damaged, part))
    const refused = await plinth(home, ['restore', damaged])
    expect(refused, part).toMatchObject({
      code: 1,
      all: expect.stringContaining('damaged') as string,
    })
    await rm(join(damaged, part))
    expect((await plinth(home, ['restore', damaged])).code, part).toBe(1)
    await rm(damaged, { recursive: true })
  }
  expect(await readdir(home)).toEqual([])
  const full = await plinth(platform.home, ['restore', backup])
  expect(full.all).toContain('is not empty')
})

test('what a restore that was cut short has left is not started', async () => {
  const home = await freshHome()
  await writeFile(join(home, 'restore-unfinished'), '')
  await expect(startPlatform({ home })).rejects.toThrow(/was cut short/)
  expect((await plinth(home, ['restore', backup])).all).toContain('is not empty')
})

test('it is restored onto an empty home: people, rows, files, functions and keys', async () => {
  const { ports } = platform
  await platform.stop()
  const home = await freshHome()
  expect(await plinth(home, ['restore', backup])).toMatchObject({
    code: 0,
    all: expect.stringContaining(`project ${books.ref} is restored`) as string,
  })
  const restored = await startPlatform({ home, ports })
  atEnd(() => restored.dispose())

  const answer = await fetch(`${restored.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  ada = personWith(restored.url, token)
  await reaches(ada, books.ref, ['ACTIVE_HEALTHY'])
  const rows = async () => client(books.serviceKey).from('books').select('title')
  await until('the project is served', async () => (await rows()).error === null)
  expect((await rows()).data).toEqual([{ title: 'Emma' }])
  const added = await client(books.serviceKey).from('books').insert({ id: 2, title: 'Persuasion' })
  expect(added.error).toBeNull()
  const { data: file } = await client(books.serviceKey).storage.from('files').download('a.txt')
  expect(await file?.text()).toBe('bytes')
  const said = await fetch(`${books.endpoint}/functions/v1/hello`)
  expect(await said.text()).toBe('hello')

  expect(await reaches(ada, asleep, ['INACTIVE'])).toBe('INACTIVE')
  await ada.call('POST', `/platform/projects/${asleep}/restore`)
  // What waited in the trash comes back from there as it would have before.
  expect((await ada.call('POST', `${trash}/${deleted}/restore`)).status).toBeLessThan(300)
  for (const ref of [asleep, deleted]) {
    await reaches(ada, ref, ['ACTIVE_HEALTHY'])
    let notes: unknown
    await until('it is served', async () => {
      notes = await runSql(ada, ref, 'select text from notes').catch(() => undefined)
      return notes !== undefined
    })
    expect(notes).toEqual([{ text: 'kept' }])
  }
  await expect.poll(() => wrongsOf(restored), { timeout: 60_000 }).toEqual([])
})
