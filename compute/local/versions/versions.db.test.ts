import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { locateBinaries } from '#kit/postgres/binaries'
import { admin, ask, customer, specOf, testRef } from '../../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../../testing/local.ts'
import { anotherMinor, newerVersion, olderVersion } from '../../testing/other-programs.ts'
import type { Provider } from '../../provider.ts'

/** Projects go on with what they run on when a newer PostgreSQL is installed, until somebody has them run on that. */
let harness: LocalHarness
let provider: Provider
let installed: string
const ref = testRef()
const version = `select current_setting('server_version')`
const versions = (of = ref) => provider.versions?.(of)
/** The platform comes back with programs of this folder in the place of those that npm installed. */
async function comeBackWith(postgresDir: string | undefined): Promise<void> {
  harness.options.postgresDir = postgresDir
  provider = await harness.reopen()
}
/** The servers' programs of this version, in all copies that the home has. */
async function programsOf(of: string): Promise<string[]> {
  const bin = join(harness.options.home, 'bin')
  const names = await readdir(bin)
  return names.filter((name) => name.includes(of)).map((name) => join(bin, name, 'bin/postgres'))
}
let older: string
let newer: string
beforeAll(async () => {
  harness = await localHarness({ spares: 0 })
  older = await anotherMinor(join(harness.options.home, 'older'), olderVersion)
  newer = await anotherMinor(join(harness.options.home, 'newer'), newerVersion)
  installed = (await locateBinaries()).version
  await comeBackWith(older)
  const at = await provider.create(specOf(ref))
  await ask(at, customer(ref), 'create table kept as select 1 as id')
})
afterAll(() => harness.close())

test('a project runs on what was installed when it was made, whatever is installed later', async () => {
  await comeBackWith(undefined)
  const at = await provider.start(ref)
  expect(await ask(at, customer(ref), version)).toBe(olderVersion)
  const known = await versions()
  expect(known?.current.version).toBe(olderVersion)
  expect(known?.latest).toMatchObject({ id: installed, version: installed })
  // Also when its server starts again.
  expect(await ask(await provider.restart(ref), customer(ref), version)).toBe(olderVersion)
  const next = testRef()
  expect(await ask(await provider.create(specOf(next)), customer(next), version)).toBe(installed)
  // With extensions of ours, as this version of the platform has them.
  await ask(at, customer(ref), 'create extension pgmq')
})

test('what is not here is refused, and nothing has stopped', async () => {
  await expect(provider.changeVersion?.(ref, '17.1')).rejects.toThrow(
    'PostgreSQL 17.1 is not on this machine any more',
  )
  await expect(provider.versions?.(testRef())).rejects.toThrow('No database server exists')
  await expect(provider.changeVersion?.(testRef(), installed)).rejects.toThrow('No database server')
  expect((await provider.inspect(ref)).state).toBe('running')
})

test('it is brought to the version that is installed with one stop, and back', async () => {
  const before = await versions()
  const changed = await provider.changeVersion?.(ref, installed)
  if (!changed || !before) throw new Error('Nothing was changed')
  expect(changed.downMs).toBeGreaterThan(0)
  expect(await ask(changed.address, customer(ref), version)).toBe(installed)
  expect(await ask(changed.address, customer(ref), 'select id from kept')).toBe(1)
  expect((await versions())?.current.version).toBe(installed)
  // Again it is nothing to be done.
  const again = await provider.changeVersion?.(ref, installed)
  expect(again?.downMs).toBeUndefined()
  const back = await provider.changeVersion?.(ref, before.current.id)
  expect(back && (await ask(back.address, customer(ref), version))).toBe(olderVersion)
})

test('one whose server does not come up goes back to what it had', async () => {
  const before = await versions()
  await comeBackWith(newer)
  const latest = (await versions())?.latest
  if (!latest || !before) throw new Error('No versions are known')
  expect(latest.version).toBe(newerVersion)
  for (const program of await programsOf(newerVersion)) {
    await writeFile(`${program}.own`, '#!/bin/sh\necho it does not start >&2; exit 1\n', {
      mode: 0o755,
    })
    await rename(`${program}.own`, program)
  }
  await expect(provider.changeVersion?.(ref, latest.id)).rejects.toThrow('it does not start')
  const back = await provider.changeVersion?.(ref, before.current.id)
  expect(back && (await ask(back.address, admin(ref), version))).toBe(olderVersion)
  expect(back && (await ask(back.address, customer(ref), 'select id from kept'))).toBe(1)
})

test('where the programs of a project are gone it runs on those that are installed', async () => {
  await comeBackWith(undefined)
  await provider.stop(ref)
  for (const program of await programsOf(olderVersion))
    await rm(dirname(dirname(program)), { recursive: true })
  expect(await ask(await provider.start(ref), customer(ref), version)).toBe(installed)
  expect((await versions())?.current.version).toBe(installed)
})

test('a project of before there was a choice runs on what is installed', async () => {
  await provider.stop(ref)
  const file = join(harness.folder(ref), 'project.json')
  const { programs: _, ...record } = JSON.parse(await readFile(file, 'utf8')) as Record<
    string,
    unknown
  >
  await writeFile(file, JSON.stringify(record))
  await comeBackWith(undefined)
  expect(await ask(await provider.start(ref), customer(ref), version)).toBe(installed)
})
