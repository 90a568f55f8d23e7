import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { createProjects } from '../projects/projects.ts'
import { accessTo } from './access.ts'
import { keepChoice } from './archive/archive-choice.ts'
import { NoBytesError } from './backends/backend.ts'
import { createFileBackend } from './backends/file-backend.ts'
import { scrub, sweepUnnamed } from './scrubber.ts'
import { startStorage, type StoragePlane } from '../testing/storage/storage.ts'
import { purgeExpired } from './trash/trash.ts'
import type { Storage } from './transfer/uploads.ts'

let plane: StoragePlane
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-scrub-'))
  plane = await startStorage({ storage: { backend: createFileBackend(folder), largest: 1e6 } })
})
afterAll(async () => {
  await plane.close()
  await rm(folder, { recursive: true })
})

async function withStorage(work: (storage: Storage) => Promise<void>) {
  const { ref } = plane.project
  const projects = createProjects({ directory: plane.directory, log: silentLog })
  try {
    const project = await projects.open(ref)
    if (!project) throw new Error('The project is not there')
    const service = { role: 'service_role', claims: '{}' }
    const asked = { method: 'GET', path: '/', headers: '{}' }
    await work({
      ref,
      backend: createFileBackend(folder),
      access: accessTo(project, service, asked),
      largest: 1,
      sealingKey: '',
      log: silentLog,
      trashDays: 1,
      orderEmptying: undefined,
      use: { sent: () => undefined, rendered: () => undefined },
      purgeSoon: () => undefined,
    })
  } finally {
    await projects.close()
  }
}
const found = { purged: 0, unnamed: 0, missing: 0 }
const everyAge = { olderThan: -1000 }

test('bytes without a row are kept until the operator has them removed, and rows without bytes are counted', () =>
  withStorage(async (storage) => {
    const { backend, ref } = storage
    const files = plane.service.from('own')
    for (const name of ['a', 'b']) await files.upload(name, name)
    await files.copy('a', 'c')
    const orphan = { ref, version: randomUUID() }
    await backend.write(
      orphan,
      (async function* () {
        yield Buffer.from('left')
      })(),
    )
    const choice = { ref, version: await keepChoice(storage, ['a']) }
    expect(await scrub(storage)).toEqual(found)
    expect(await backend.size(choice)).toBe(5)
    expect(await backend.size(orphan)).toBe(4)
    for (const _ of [1, 2]) expect(await scrub(storage, everyAge)).toEqual({ ...found, unnamed: 1 })
    expect(await backend.size(orphan)).toBe(4)
    // What an archive was made of goes as well, and nobody has to be told.
    await expect(backend.size(choice)).rejects.toThrow(NoBytesError)
    // What is young may be an upload that is under way.
    expect(await sweepUnnamed(storage, { remove: true })).toBe(0)
    expect(await sweepUnnamed(storage, { ...everyAge, remove: false })).toBe(1)
    expect(await sweepUnnamed(storage, { ...everyAge, remove: true })).toBe(1)
    await expect(backend.size(orphan)).rejects.toThrow(NoBytesError)
    expect(await scrub(storage, everyAge)).toEqual(found)
    const [row] = await plane.sql("select version from storage.objects where name = 'b'")
    await backend.remove([{ ref, version: String(row?.['version']) }])
    expect(await scrub(storage, everyAge)).toEqual({ ...found, missing: 1 })
    for (const name of ['a', 'c']) expect(await (await files.download(name)).data?.text()).toBe('a')
    await files.remove(['b'])
  }))

test('bytes of the trash stay until its days are over', () =>
  withStorage(async (storage) => {
    const { backend, ref } = storage
    const files = plane.service.from('own')
    for (const name of ['young', 'old']) await files.upload(name, name)
    await files.remove(['young', 'old'])
    const versionOf = async (name: string) => {
      const [row] = await plane.sql(`select version from storage.trash where name = '${name}'`)
      return { ref, version: String(row?.['version']) }
    }
    const [young, old] = [await versionOf('young'), await versionOf('old')]
    expect(await scrub(storage, everyAge)).toEqual(found)
    const age = (name: string, time: string) =>
      plane.sql(
        `update storage.trash set deleted_at = now() - interval '${time}' where name = '${name}'`,
      )
    await age('young', '23 hours')
    await age('old', '25 hours')
    expect(await scrub(storage, everyAge)).toEqual({ ...found, purged: 1 })
    expect(await backend.size(young)).toBe(5)
    await expect(backend.size(old)).rejects.toThrow(NoBytesError)
  }))

test('a crash between row and bytes leaves bytes without a row, which are kept', () =>
  withStorage(async (storage) => {
    const files = plane.service.from('own')
    await files.upload('torn', 'torn')
    await files.remove(['torn'])
    const [row] = await plane.sql("select version from storage.trash where name = 'torn'")
    const torn = { ref: storage.ref, version: String(row?.['version']) }
    await plane.sql("update storage.trash set deleted_at = '-infinity' where name = 'torn'")
    const { backend } = storage
    const dying = { ...backend, remove: () => Promise.reject(new Error('The power is gone')) }
    expect(await purgeExpired({ ...storage, backend: dying })).toBe(1)
    expect(await plane.sql("select from storage.trash where name = 'torn'")).toEqual([])
    expect(await backend.size(torn)).toBe(4)
    expect(await scrub(storage, everyAge)).toEqual({ ...found, unnamed: 1 })
    expect(await backend.size(torn)).toBe(4)
    expect(await sweepUnnamed(storage, { ...everyAge, remove: true })).toBe(1)
  }))

test('our own programs have what is over removed, and nobody else', async () => {
  const purge = async (ref: string, token = 'a token that only our own programs know') => {
    const response = await fetch(`${new URL(plane.url).origin}/internal/storage/purges`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ref }),
    })
    return [response.status, await response.json()]
  }
  const { ref, serviceKey } = plane.project
  const files = plane.service.from('own')
  for (const name of ['over', 'not yet']) await files.upload(name, name)
  await files.remove(['over', 'not yet'])
  await plane.sql(
    `update storage.trash set deleted_at = now() - interval '8 days' where name = 'over'`,
  )
  for (const token of ['x', serviceKey]) expect((await purge(ref, token))[0]).toBe(401)
  expect((await purge('z'.repeat(20)))[0]).toBe(404)
  plane.directory.put({ ...plane.project, restricted: true })
  expect((await purge(ref))[0]).toBe(402)
  plane.directory.put(plane.project)
  expect(await purge(ref)).toEqual([200, { purged: 1 }])
  expect(await purge(ref)).toEqual([200, { purged: 0 }])
  const left = await plane.sql(`select name from storage.trash where name in ('over', 'not yet')`)
  expect(left).toEqual([{ name: 'not yet' }])
})

test('after an older database was restored, newer bytes are kept, and found again by a newer one', () =>
  withStorage(async (storage) => {
    const files = plane.service.from('own')
    await files.upload('newer', 'newer')
    const all = `name, bucket_id, owner, metadata, user_metadata, version`
    await plane.sql(`create table public.kept as
      select ${all} from storage.objects where name = 'newer'`)
    await plane.sql(`begin; set local session_replication_role = replica;
      delete from storage.objects where name = 'newer'; commit`)
    expect((await scrub(storage, everyAge)).unnamed).toBe(1)
    await plane.sql(`insert into storage.objects (${all}) select ${all} from public.kept`)
    expect(await (await files.download('newer')).data?.text()).toBe('newer')
  }))

test('our own programs count what no row names, and have it removed', async () => {
  const ask = async (body: object, token = 'a token that only our own programs know') => {
    const response = await fetch(`${new URL(plane.url).origin}/internal/storage/unnamed`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return [response.status, await response.json()]
  }
  const { ref } = plane.project
  expect((await ask({ ref, remove: false }, 'x'))[0]).toBe(401)
  expect((await ask({ ref: 'z'.repeat(20), remove: true }))[0]).toBe(404)
  // Nothing is a day old yet.
  for (const remove of [false, true])
    expect(await ask({ ref, remove })).toEqual([200, { found: 0 }])
})
