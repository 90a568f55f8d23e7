import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { processesOf, waitUntil } from '#kit/postgres/processes'
import { preparePostgres } from '#kit/postgres/runtime'
import { localHarness, type LocalHarness } from '../testing/local.ts'
import { createFolders, type Folders } from './folders.ts'
import { createLocalProvider } from './local.ts'
import { stopAllServers } from './stop-all.ts'

let harness: LocalHarness
let folders: Folders

beforeAll(async () => {
  // A template of its own, which takes a while.
  harness = await localHarness({ sql: ['select pg_sleep(0.2)', 'select pg_sleep(1)'] })
  folders = createFolders(await preparePostgres(harness.options.home))
})
afterAll(() => harness.close())

const building = async () =>
  (await readdir(folders.templates)).find((name) => name.startsWith('new-'))

/** Waits until a template is being made and a process is at work on it. */
async function whileOneIsMade(program: string): Promise<string> {
  let data = ''
  const isMade = async () => {
    data = join(folders.templates, (await building()) ?? 'none', 'data')
    return (await processesOf(data)).some((found) => found.program === program)
  }
  expect(await waitUntil(isMade, 20_000)).toBe(true)
  return data
}

test('who closes while the template is made does not wait for it, and nothing is left of it', async () => {
  const provider = createLocalProvider(harness.options)
  const preparing = expect(provider.prepare()).rejects.toThrow(/abort/)
  const data = await whileOneIsMade('postgres')
  await provider.close()
  await preparing
  expect(await building()).toBe(undefined)
  expect(await processesOf(data)).toEqual([])
})

test('the server of a template whose maker was killed ends with all others', async () => {
  const provider = createLocalProvider(harness.options)
  const preparing = expect(provider.prepare()).rejects.toThrow()
  const data = await whileOneIsMade('postgres')
  await stopAllServers(await preparePostgres(harness.options.home), harness.options)
  expect(await processesOf(data)).toEqual([])
  await preparing
  await provider.close()
})

test('the next one makes it whole', async () => {
  const provider = await harness.reopen()
  expect(await building()).toBe(undefined)
  expect(await provider.list()).toEqual([])
})
