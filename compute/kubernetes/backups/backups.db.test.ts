import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  BackupDamagedError,
  CopyRefusedError,
  NotCoveredError,
  UnknownBackupError,
  UnknownProjectError,
  type DatabaseAddress,
  type Provider,
} from '../../provider.ts'
import { ask, loginsOf, specOf, testRef } from '../../testing/conformance-project.ts'
import { kubernetesHarness, type KubernetesHarness } from '../../testing/kubernetes/harness.ts'
import { customerRole, namespaceOf, superuser } from '../objects.ts'

const { customer } = loginsOf({ customer: customerRole, admin: superuser })
let harness: KubernetesHarness
let provider: Provider
let ref: string
let at: DatabaseAddress
const backups = () => {
  const found = provider.backups
  if (!found) throw new Error('This provider keeps no backups')
  return found
}
const password = (project = ref) => specOf(project).passwords.admin
const count = (where: DatabaseAddress, project = ref) =>
  ask(where, customer(project), 'select count(*)::int from notes')
const clusters = (project = ref) =>
  harness.api.store.list('Cluster', namespaceOf(project)).map(({ metadata }) => metadata.name)

beforeAll(async () => {
  harness = await kubernetesHarness({ withBackups: true })
  provider = harness.provider
  await provider.prepare()
  ref = testRef()
  at = await provider.create(specOf(ref))
  await ask(
    at,
    customer(ref),
    'create table notes (id int primary key, text text)',
    'insert into notes select n, repeat(md5(n::text), 20) from generate_series(1, 500) n',
  )
})
afterAll(() => harness.close())

test('a backup is made and read back in a cluster of its own, of which nothing is left', async () => {
  const key = { ref, id: '1' }
  const made = await backups().make(key, password())
  expect(Math.abs(Date.now() - made.takenAt.getTime())).toBeLessThan(60_000)
  expect(made.bytes).toBeGreaterThan(100_000)
  const { tables, rows } = await backups().check(key, password())
  expect(tables).toBeGreaterThan(10)
  expect(rows).toBeGreaterThanOrEqual(500)
  expect(await backups().list(ref)).toEqual(['1'])
  expect(await backups().refs()).toEqual([ref])
  expect(await backups().facts(key)).toEqual(made)
  expect(await backups().make(key, password())).toEqual(made)
  expect(clusters()).toEqual([ref])
  expect(harness.api.store.list('Backup')).toEqual([])
  // It is many files, and nobody hands out one.
  expect(backups().read).toBeUndefined()
})

test('what is not there, and what is no id, is refused', async () => {
  for (const id of ['../1', '', 'a', '1'.repeat(20)])
    await expect(backups().facts({ ref, id }), id).rejects.toThrow(TypeError)
  const key = { ref, id: '7' }
  await expect(backups().check(key, password())).rejects.toThrow(UnknownBackupError)
  await expect(backups().facts(key)).rejects.toThrow(UnknownBackupError)
  await expect(backups().restore(specOf(ref), key, 'order 1')).rejects.toThrow(UnknownBackupError)
  const moment = { ref, until: new Date() }
  await expect(backups().restore(specOf(ref), moment, 'order 2')).rejects.toThrow(NotCoveredError)
  const nobody = testRef()
  await expect(backups().make({ ref: nobody, id: '7' }, 'x')).rejects.toThrow(UnknownProjectError)
  await expect(backups().setArchive(nobody, true)).rejects.toThrow(UnknownProjectError)
  await expect(backups().list('../other')).rejects.toThrow(TypeError)
  await backups().remove({ ref, id: '7' })
  expect(await backups().list(ref)).toEqual(['1'])
  expect(await count(at)).toBe(500)
})

test('a copy with masked columns, or without rows, is refused: nobody could make it here', async () => {
  const copy = testRef()
  const from = { ref, id: '1' }
  for (const changes of [
    { rows: false, masks: [] },
    { rows: true, masks: [{ schema: 'public', table: 'notes', column: 'text', as: 'nothing' }] },
  ])
    await expect(
      backups().restore(specOf(copy), from, 'order 3', changes as never),
    ).rejects.toThrow(CopyRefusedError)
  expect(await harness.tracesOf(copy)).toEqual([])
})

test('a backup whose rows are not those of the server, and one that lacks its files, do not pass', async () => {
  const key = { ref, id: '2' }
  await backups().make(key, password())
  const path = `${ref}/plinth-2.json`
  const text = (await harness.bucket?.read(path)) ?? ''
  expect(JSON.parse(text)).toMatchObject({ maxConnections: 40 })
  const wrong = text.replace(
    '"table":"public.notes","rows":500',
    '"table":"public.notes","rows":499',
  )
  expect(wrong).not.toBe(text)
  await harness.bucket?.write(path, wrong)
  await expect(backups().check(key, password())).rejects.toThrow(
    'public.notes has 499 rows, and 500 in the backup',
  )
  const { server, backupId } = JSON.parse(text) as { server: string; backupId: string }
  await harness.bucket?.removeFolder(`${ref}/${server}/base/${backupId}/`)
  await expect(backups().check(key, password())).rejects.toThrow(BackupDamagedError)
  expect(clusters()).toEqual([ref])
  // A restore that fails leaves the project as it was.
  await expect(backups().restore(specOf(ref), { ref, id: '2' }, 'order 4')).rejects.toThrow(
    'has failed 3 times',
  )
  expect(clusters()).toEqual([ref])
  expect(await count(at)).toBe(500)
  await backups().remove(key)
})

test('a project is restored in another cluster that takes its place, with the passwords that it has now', async () => {
  await ask(at, customer(ref), 'delete from notes where id > 100')
  const changed = { ...specOf(ref), passwords: { ...specOf(ref).passwords, postgres: 'another' } }
  const before = at
  at = await backups().restore(changed, { ref, id: '1' }, 'order 5')
  expect(at).not.toEqual(before)
  const login = { ...customer(ref), password: 'another' }
  expect(await ask(at, login, 'select count(*)::int from notes')).toBe(500)
  await expect(count(at)).rejects.toThrow(/authentication/)
  expect(await provider.inspect(ref)).toEqual({ state: 'running', address: at })
  expect(clusters()).toHaveLength(1)
  expect(clusters()).not.toEqual([ref])
  await expect(count(before)).rejects.toThrow('ECONNREFUSED')
  // All else goes on with that cluster: also for another process, and what it archives begins anew.
  at = await backups().restore(specOf(ref), { ref, id: '1' }, 'order 6')
  await provider.stop(ref)
  expect(await provider.inspect(ref)).toEqual({ state: 'stopped' })
  provider = await harness.reopen()
  at = await provider.start(ref)
  expect(await count(at)).toBe(500)
  await backups().make({ ref, id: '3' }, password())
  expect(await backups().check({ ref, id: '3' }, password())).toMatchObject({
    rows: expect.any(Number),
  })
})

test('an order that comes again leaves the project as it has become since', async () => {
  await ask(at, customer(ref), "insert into notes values (501, 'of today')")
  at = await backups().restore(specOf(ref), { ref, id: '1' }, 'order 6')
  expect(await count(at)).toBe(501)
  // Also one that others came after.
  at = await backups().restore(specOf(ref), { ref, id: '1' }, 'order 5')
  expect(await count(at)).toBe(501)
})

test('a new project is made from a backup of another', async () => {
  const copy = testRef()
  const from = { ref, id: '1' }
  const copyAt = await backups().restore(specOf(copy), from, 'order 7', { rows: true, masks: [] })
  expect(await count(copyAt, copy)).toBe(500)
  await expect(ask(copyAt, customer(ref), 'select 1')).rejects.toThrow(/authentication/)
  expect(await provider.list()).toContain(copy)
  await backups().make({ ref: copy, id: '1' }, password(copy))
  await provider.stop(copy)
  expect(await count(await provider.start(copy), copy)).toBe(500)
  await provider.destroy(copy)
  expect(await harness.tracesOf(copy)).toEqual([])
  // One that fails leaves nothing.
  await expect(backups().restore(specOf(copy), { ref, id: '99' }, 'order 8')).rejects.toThrow(
    UnknownBackupError,
  )
  expect(await harness.tracesOf(copy)).toEqual([])
})

test('what is removed is gone from the bucket, with what only it needs of the archive', async () => {
  const held = async () => (await harness.tracesOf(ref)).filter((one) => one.startsWith('object'))
  await backups().remove({ ref, id: '1' })
  expect(await backups().list(ref)).toEqual(['3'])
  const left = await held()
  const { server } = JSON.parse((await harness.bucket?.read(`${ref}/plinth-3.json`)) ?? '') as {
    server: string
  }
  // Nothing of the servers from before the restores.
  expect(left.filter((one) => !one.startsWith(`object ${ref}/${server}/`))).toEqual([
    `object ${ref}/plinth-3.json`,
  ])
  await backups().remove({ ref, id: '1' })
})
