import { appendFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import type { ServerLogEntry } from '#contract/observability/server-log'
import { ask, customer, specOf, testRef } from '../../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../../testing/local.ts'
import type { DatabaseAddress } from '../../provider.ts'
import { createServerLogs } from './server-logs.ts'

let harness: LocalHarness
let ref: string
let at: DatabaseAddress
let file: string
beforeAll(async () => {
  harness = await localHarness()
  ref = testRef()
  at = await harness.provider.create(specOf(ref))
  file = join(harness.folder(ref), 'server.log')
})
afterAll(() => harness.close())

/** Follows the log of the project's server, and lets a test say whether somebody takes what comes. */
async function following({ maxBytes = 1_000_000 } = {}) {
  const taken: ServerLogEntry[] = []
  const world = { refuses: false }
  const logs = createServerLogs({
    fileOf: () => file,
    // The provider follows the same log.
    cursorOf: () => `${file}.cursor-of-test`,
    handOver: async (_, entries) => {
      if (world.refuses) throw new Error('nobody is there')
      taken.push(...entries)
    },
    log: silentLog,
    maxBytes,
    gatherMs: 10,
  })
  await logs.follow(ref)
  return { taken, world, logs }
}
const fail = (text: string) =>
  expect(ask(at, customer(ref), `do $$ begin raise exception '${text}'; end $$`)).rejects.toThrow(
    text,
  )
const seen = (taken: ServerLogEntry[], text: string) =>
  taken.filter(({ message }) => message === text)

test('a failing statement is handed over, with its code and no text of it', async () => {
  const { taken, logs } = await following()
  await expect(ask(at, customer(ref), `select 'Secret' from nowhere`)).rejects.toThrow()
  await expect
    .poll(() => taken.find(({ sql_state_code }) => sql_state_code === '42P01'))
    .toMatchObject({
      severity: 'ERROR',
      message: 'relation "nowhere" does not exist at character 22',
      user_name: 'postgres',
      database_name: 'postgres',
      backend_type: 'client backend',
    })
  expect(JSON.stringify(taken)).not.toContain('Secret')
  logs.close()
})

test('who comes back goes on where it was left, and hands nothing over twice', async () => {
  const first = await following()
  await fail('before')
  await expect.poll(() => seen(first.taken, 'before')).toHaveLength(1)
  first.logs.close()
  await fail('meanwhile')
  const second = await following()
  await expect.poll(() => seen(second.taken, 'meanwhile')).toHaveLength(1)
  expect(seen(second.taken, 'before')).toEqual([])
  second.logs.close()
})

test('what nobody takes is handed over once somebody does', async () => {
  const { taken, world, logs } = await following()
  world.refuses = true
  await fail('kept')
  await logs.unfollow(ref)
  expect(seen(taken, 'kept')).toEqual([])
  world.refuses = false
  await logs.follow(ref)
  await expect.poll(() => seen(taken, 'kept')).toHaveLength(1)
  logs.close()
})

test('a line that has not ended waits for its end', async () => {
  const { taken, logs } = await following()
  await fail('whole')
  await expect.poll(() => seen(taken, 'whole')).toHaveLength(1)
  const line = (await readFile(file, 'utf8')).split('\n').find((each) => each.endsWith('whole'))
  const halves = (line ?? '').replace('whole', 'in two halves')
  await appendFile(file, halves)
  await logs.unfollow(ref)
  expect(seen(taken, 'in two halves')).toEqual([])
  await appendFile(file, '\n')
  await logs.follow(ref)
  await expect.poll(() => seen(taken, 'in two halves')).toHaveLength(1)
  logs.close()
})

test('the provider hands over what its servers write, also of one that ran before it', async () => {
  const taken: ServerLogEntry[] = []
  harness.provider.onServerLog?.(async (_, entries) => void taken.push(...entries))
  await fail('of the provider')
  await expect.poll(() => seen(taken, 'of the provider')).toHaveLength(1)
  const next = await harness.reopen()
  next.onServerLog?.(async (_, entries) => void taken.push(...entries))
  await next.prepare()
  await fail('of the next one')
  await expect.poll(() => seen(taken, 'of the next one')).toHaveLength(1)
  expect(seen(taken, 'of the provider')).toHaveLength(1)
})

test('no entry says where on the machine anything is', async () => {
  const taken: ServerLogEntry[] = []
  const provider = await harness.reopen()
  provider.onServerLog?.(async (_, entries) => void taken.push(...entries))
  at = await provider.restart(ref)
  const started = () =>
    taken.map(({ message }) => message).filter((message) => message.includes('Unix socket'))
  await expect.poll(started).toEqual([expect.stringMatching(`^listening on Unix socket "/${ref}/`)])
  expect(JSON.stringify(taken)).not.toContain(harness.options.home)
})

// The last one: the provider follows the same log, and nobody else empties it but here.
test('a log that is emptied loses no entry, and the server goes on writing it', async () => {
  const { taken, logs } = await following({ maxBytes: 1000 })
  await fail('first')
  await fail('second')
  await logs.round(ref)
  expect((await stat(file)).size).toBe(0)
  expect(await readFile(`${file}.1`, 'utf8')).toContain('second')
  await fail('third')
  await expect.poll(() => seen(taken, 'third')).toHaveLength(1)
  expect(seen(taken, 'first')).toHaveLength(1)
  expect(seen(taken, 'second')).toHaveLength(1)
  logs.close()
})
