import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { processesOf, waitUntil } from '#kit/postgres/processes'
import { preparePostgres, type PostgresRuntime } from '#kit/postgres/runtime'
import { findRunning } from '#kit/postgres/server'
import { localHarness, type LocalHarness } from '../testing/local.ts'
import { createFolders, type Folders } from './folders.ts'
import { createLocalProvider } from './local.ts'
import { stopAllServers } from './stop-all.ts'

let harness: LocalHarness
let runtime: PostgresRuntime
let folders: Folders

beforeAll(async () => {
  // A template of its own, whose server runs for a while.
  harness = await localHarness({ sql: Array<string>(6).fill('select pg_sleep(0.5)') })
  runtime = await preparePostgres(harness.options.home)
  folders = createFolders(runtime)
})
afterAll(() => harness.close())

const building = async () =>
  (await readdir(folders.templates)).find((name) => name.startsWith('new-'))

/** The data directory of the template that is being made, as soon as `isSo` of it. */
async function whenOne(isSo: (dataDir: string) => Promise<boolean>): Promise<string> {
  let data = ''
  const found = async () => {
    data = join(folders.templates, (await building()) ?? 'none', 'data')
    return isSo(data)
  }
  expect(await waitUntil(found, 20_000)).toBe(true)
  return data
}
const isFilled = async (data: string) => (await processesOf(data)).length > 0
const isServed = async (data: string) => (await findRunning(data))?.ready === true

test.each([
  ['filled', isFilled],
  ['served', isServed],
])(
  'who closes while the template is %s does not wait for it, and nothing is left of it',
  async (_, isSo) => {
    const provider = createLocalProvider(harness.options)
    const preparing = expect(provider.prepare()).rejects.toThrow(/abort/)
    const data = await whenOne(isSo)
    await provider.close()
    await preparing
    expect(await building()).toBe(undefined)
    expect(await processesOf(data)).toEqual([])
  },
)

test('the server of a template whose maker was killed ends with all others', async () => {
  const provider = createLocalProvider(harness.options)
  const preparing = expect(provider.prepare()).rejects.toThrow()
  const data = await whenOne(isServed)
  await stopAllServers(runtime, harness.options)
  expect(await processesOf(data)).toEqual([])
  await preparing
  await provider.close()
})

test('the next one makes it whole', async () => {
  const provider = await harness.reopen()
  expect(await building()).toBe(undefined)
  expect(await provider.list()).toEqual([])
})
