import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBuild, removeBuild } from '#kit/postgres/builds/add'
import { withClient } from '#kit/postgres/client'
import { preparePostgres } from '#kit/postgres/runtime'
import {
  compileLibrary,
  hasCompiler,
  libraryExtension,
  sqlExtension,
  writeTree,
} from '#kit/testing/extension-tree'
import { customer, specOf, testRef } from '../../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../../testing/local.ts'
import type { DatabaseAddress } from '../../provider.ts'

const canCompile = await hasCompiler()
const ref = testRef()
let harness: LocalHarness
let at: DatabaseAddress
beforeAll(async () => {
  harness = await localHarness({ spares: 0 })
  await harness.provider.prepare()
  at = await harness.provider.create(specOf(ref))
})
afterAll(() => harness.close())

async function asOwner(sql: string): Promise<unknown[]> {
  const { role: user, password } = customer(ref)
  const connection = { host: at.socketDir, port: at.port, user, password, database: 'postgres' }
  return withClient(connection, async (client) => (await client.query(sql)).rows as unknown[])
}
async function bring(
  name: string,
  files: Record<string, string>,
  how: { trust?: boolean; preload?: string[] } = {},
) {
  const { home } = harness.options
  const from = join(home, `tree-${name}`)
  await mkdir(from, { recursive: true })
  await writeTree(from, files)
  if (files[`${name}.control`]?.includes('$libdir'))
    await compileLibrary(join(from, `${name}.so`), name)
  const runtime = await preparePostgres(home)
  return addBuild({ home, runtime, from, trust: false, preload: [], ...how })
}
const restart = async () => (at = await harness.provider.restart(ref))

test('a project sees a build after its restart, and an owner creates what asks for no superuser', async () => {
  const build = await bring('greets', sqlExtension('greets', 'superuser = false\n'))
  await expect(asOwner('create extension greets')).rejects.toMatchObject({ code: '0A000' })
  await restart()
  await asOwner(`create extension greets version '1.0'`)
  expect(await asOwner('select greets_says() as says')).toEqual([{ says: '1.0' }])
  await asOwner('alter extension greets update')
  expect(await asOwner('select greets_says() as says')).toEqual([{ says: '1.1' }])
  await asOwner('drop extension greets')
  await asOwner('create extension greets schema extensions')
  await asOwner('drop extension greets')
  await removeBuild(harness.options.home, build)
  await restart()
  await expect(asOwner('create extension greets')).rejects.toMatchObject({ code: '0A000' })
})

test.runIf(canCompile)(
  'a library is for the operator, until they trust owners with it',
  async () => {
    const untrusted = await bring('answer', libraryExtension('answer'))
    await restart()
    await expect(asOwner('create extension answer')).rejects.toMatchObject({ code: '42501' })
    await bring('answer', libraryExtension('answer'), { trust: true })
    await restart()
    await asOwner('create extension answer')
    expect(await asOwner('select answer_answer() as answer')).toEqual([{ answer: 42 }])
    // Also after the server has crashed.
    await harness.killServer(ref)
    at = await harness.provider.start(ref)
    expect(await asOwner('select answer_answer() as answer')).toEqual([{ answer: 42 }])
    // An owner has no more of it than the extension: no function of their own is in a library.
    const own = `create function mine() returns int language c as '$libdir/answer', 'answer_answer'`
    await expect(asOwner(own)).rejects.toMatchObject({ code: '42501' })
    expect(untrusted.extensions[0]?.open).toBe(false)
  },
  90_000,
)

test.runIf(canCompile)(
  'libraries of builds are loaded at the start beside ours',
  async () => {
    await bring('early', libraryExtension('early'), { preload: ['early'] })
    await restart()
    const shown = await asOwner(
      `select setting from pg_settings where name = 'shared_preload_libraries'`,
    )
    expect(shown).toEqual([{ setting: 'pg_stat_statements,early' }])
    expect(await asOwner('select count(*) > 0 as counts from pg_stat_statements')).toEqual([
      { counts: true },
    ])
  },
  90_000,
)
