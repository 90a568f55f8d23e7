import { lstat, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Provider } from '../provider.ts'
import { admin, ask, specOf, testRef } from '../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../testing/local.ts'

/** Whoever has broken out of a server owns its data directory, and puts links there for the platform to follow. */
let harness: LocalHarness
let provider: Provider
let ref: string
let victim: string
beforeAll(async () => {
  harness = await localHarness()
  provider = harness.provider
  await provider.prepare()
  ref = testRef()
  await provider.create(specOf(ref))
  victim = join(harness.options.home, 'of-the-platform')
})
beforeEach(() => writeFile(victim, 'precious', { mode: 0o640 }))
afterAll(() => harness.close())

async function isUntouched() {
  const { mode, uid } = await stat(victim)
  expect(await readFile(victim, 'utf8')).toBe('precious')
  expect({ mode: mode & 0o777, uid }).toEqual({ mode: 0o640, uid: process.getuid?.() })
}
const inData = (name: string) => join(harness.folder(ref), 'data', name)

test('access rules of an earlier version are written past a link, and the file that it leads to stays', async () => {
  await provider.stop(ref)
  await rm(join(harness.folder(ref), 'config'), { recursive: true })
  await symlink(victim, inData('pg_hba.conf.new'))
  await provider.setNetworks?.(ref, ['10.0.0.0/8'])
  await isUntouched()
  expect((await lstat(inData('pg_hba.conf'))).isFile()).toBe(true)
  expect(await readFile(inData('pg_hba.conf'), 'utf8')).toContain('10.0.0.0/8')
  await provider.start(ref)
  await provider.setNetworks?.(ref, null)
})

test('the settings of a project are not read through a link', async () => {
  const file = inData('postgresql.auto.conf')
  const before = await readFile(file, 'utf8')
  await rm(file)
  await symlink(victim, file)
  await expect(provider.setReadOnly(ref, true)).rejects.toThrow(/ELOOP/)
  await isUntouched()
  await rm(file)
  await writeFile(file, before)
  await provider.setReadOnly(ref, true)
  await isUntouched()
})

test('what a server takes of the disk is counted past links', async () => {
  const before = await provider.diskUse?.(ref)
  await symlink('/', inData('base/everything'))
  const after = await provider.diskUse?.(ref)
  await rm(inData('base/everything'))
  expect(after?.database).toBeLessThan((before?.database ?? 0) + 1024 ** 2)
})

test('a backup is unpacked by the user of its project', async () => {
  await provider.setReadOnly(ref, false)
  const key = { ref, id: '1' }
  await provider.backups?.make(key, specOf(ref).passwords.admin)
  await provider.backups?.check(key, specOf(ref).passwords.admin)
  const at = await provider.backups?.restore(specOf(ref), key, 'order')
  expect(at && (await ask(at, admin(ref), 'select 1'))).toBe(1)
  const { uid } = await stat(inData('PG_VERSION'))
  expect(uid).toBe((await stat(inData('.'))).uid)
  await isUntouched()
})
