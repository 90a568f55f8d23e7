import { getEventListeners } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runsAsRoot } from '#kit/postgres/os-user'
import { findProcess, signal } from '#kit/postgres/processes'
import { idsOf, logsRef } from '../../testing/logs/conformance.ts'
import { engineProgram } from '../../testing/logs/engine-program.ts'
import { event, page, range } from '../../testing/logs/events.ts'
import { openStore } from '../../testing/logs/store.ts'
import type { LogLimits } from './limits.ts'

const all = { since: 0, auditSince: 0 }

async function withEntries(limits: Partial<LogLimits>, count = 3) {
  const { store, again, close } = await openStore({ limits })
  onTestFinished(close)
  const ref = logsRef()
  // Of the day before, so that it lies in a file of its own.
  store.append(ref, [event('early', -86_400)])
  // No more at once than may wait.
  for (let from = 0; from < count; from += 5000) {
    const some = Math.min(5000, count - from)
    store.append(
      ref,
      Array.from({ length: some }, (_, at) => event(`e${from + at}`, (from + at) / 1000)),
    )
    await store.flush()
  }
  const ask = async (signal?: AbortSignal) =>
    idsOf((await store.page(ref, page(0, 1e4, { limit: 3 }), all, signal)).events)
  const early = async () => idsOf((await store.page(ref, page(-86_401, -86_399), all)).events)
  const pid = () => store.pids().readers.get(ref) ?? 0
  return { store, ref, ask, early, pid, again }
}
/** The question of this signal is with its reader. */
const isAsked = (signal: AbortSignal) =>
  expect.poll(() => getEventListeners(signal, 'abort').length, patience).toBe(1)
const patience = { timeout: 60_000 }
const ended = (pid: number) => expect.poll(() => findProcess(pid), patience).toBeUndefined()

test('a reader that hangs is killed, and the next question works', async () => {
  const { ask, pid } = await withEntries({ questionMs: 3000, graceMs: 100 })
  expect(await ask()).toEqual(['e2', 'e1', 'e0'])
  const hung = pid()
  signal(hung, 'SIGSTOP')
  await expect(ask()).rejects.toMatchObject({ code: 'logs_too_slow', status: 408 })
  await ended(hung)
  expect(await ask()).toEqual(['e2', 'e1', 'e0'])
  expect(pid()).not.toBe(hung)
})

/** Each entry with each other one, and those with each again: more than any machine has time for. */
const endless = `select count(*) from logs a cross join logs b cross join logs c where a.id || b.id = c.id`

test('a question that takes too long is stopped without its reader', async () => {
  const limits = { questionMs: 3000, graceMs: 100_000 }
  const { early, pid, store, ref } = await withEntries(limits, 10_000)
  const { from: start, to: end } = range(0, 1e4)
  const slow = { sql: endless, dialect: 'columns' as const, from: start, to: end }
  await expect(store.query(ref, slow, all)).rejects.toMatchObject({ code: 'logs_too_slow' })
  const before = pid()
  expect(before).toBeGreaterThan(0)
  expect(await early()).toEqual(['early'])
  expect(pid()).toBe(before)
})

test('a question of too much memory is refused by the engine, which goes on', async () => {
  const { early, pid, store, ref } = await withEntries({ readerMb: 64 })
  // To be counted they are all held at once: eighty megabytes.
  for (let at = 0; at < 20_000; at += 250) {
    const users = Array.from({ length: 250 }, (_, n) => `${at + n}`.padEnd(4000, 'x'))
    store.append(
      ref,
      users.map((user) => event(user.slice(0, 6), 5, { columns: { user_id: user } })),
    )
    await store.flush()
  }
  const large = { ...range(0, 1e4), fields: ['user_id'] }
  await expect(store.facets(ref, large, all)).rejects.toMatchObject({
    code: 'logs_too_large',
    status: 422,
  })
  const before = pid()
  expect(await early()).toEqual(['early'])
  expect(pid()).toBe(before)
})

test('a reader that grows is killed, and answered for', async () => {
  const { ask, pid, again, ref } = await withEntries({ processMb: 1 }, 100_000)
  await expect(ask()).rejects.toMatchObject({ code: 'logs_too_large' })
  const grown = pid()
  if (grown > 0) await ended(grown)
  const well = again({ limits: {} })
  expect((await well.page(ref, page(0, 1e4, { limit: 1 }), all)).events).toHaveLength(1)
})

test('a reader that crashes is an error of this question only', async () => {
  const { ask, pid, store } = await withEntries({})
  await ask()
  const crashed = pid()
  signal(crashed, 'SIGSTOP')
  const { signal: asking } = new AbortController()
  const failing = expect(ask(asking)).rejects.toThrow(/ended/)
  await isAsked(asking)
  signal(crashed, 'SIGKILL')
  await failing
  expect(await ask()).toHaveLength(3)
  expect(store.answers()).toBe(true)
})

test('whoever gives up in the middle has his question stopped', async () => {
  const { ask, pid } = await withEntries({ graceMs: 100 })
  await ask()
  signal(pid(), 'SIGSTOP')
  const gone = new AbortController()
  const failing = expect(ask(gone.signal)).rejects.toThrow(/Nobody waits/)
  await isAsked(gone.signal)
  gone.abort()
  await failing
  expect(await ask()).toHaveLength(3)
})

test('a reader ends after it has rested, and there are never too many', async () => {
  const { store, close } = await openStore({ limits: { restMs: 200, readers: 2 } })
  onTestFinished(close)
  for (const ref of [logsRef(), logsRef(), logsRef()]) {
    store.append(ref, [event('a', 1)])
    await store.page(ref, page(0, 60), all)
    expect(store.pids().readers.size).toBeLessThanOrEqual(2)
  }
  await expect.poll(() => store.pids().readers.size, patience).toBe(0)
})

test.runIf(runsAsRoot() && process.platform === 'linux')(
  'each project has a reader of its own, who has no name and no rights',
  async () => {
    const { store, close } = await openStore()
    onTestFinished(close)
    const users = []
    for (const ref of [logsRef(), logsRef()]) {
      store.append(ref, [event('a', 1)])
      await store.page(ref, page(0, 60), all)
      const status = await readFile(`/proc/${store.pids().readers.get(ref)}/status`, 'utf8')
      users.push(/^Uid:\s+(\d+)\s+(\d+)\s+(\d+)/m.exec(status)?.slice(1).map(Number))
      expect(status).toMatch(/^CapEff:\s+0+$/m)
      expect(status).toMatch(/^Groups:\s*$/m)
    }
    expect(users.flat().every((uid) => uid !== undefined && uid >= 1_200_000_000)).toBe(true)
    expect(users[0]).not.toEqual(users[1])
  },
)

test.runIf(process.platform === 'linux')(
  'the process that asks never loads the engine',
  async () => {
    const { ask } = await withEntries({})
    expect(await ask()).toHaveLength(3)
    expect(await readFile('/proc/self/maps', 'utf8')).not.toContain('duckdb')
  },
)

test('a program that does not start is an error, and no more', async () => {
  const { store, again, close } = await openStore()
  onTestFinished(close)
  const ref = logsRef()
  const { program } = await engineProgram()
  const wrong = again({ engine: { program, node: '/nowhere/node' } })
  wrong.append(ref, [event('a', 1)])
  await expect(wrong.page(ref, page(0, 60), all)).rejects.toThrow(/did not start/)
  expect(idsOf((await store.page(ref, page(0, 60), all)).events)).toEqual(['a'])
})

test('without an engine entries are kept, and questions say what is missing', async () => {
  const { folder, store, again, close } = await openStore({ limits: { segmentBytes: 1 } })
  onTestFinished(close)
  const ref = logsRef()
  // A program that lies where no packages are.
  const elsewhere = await mkdtemp(join(tmpdir(), 'plinth-no-engine-'))
  const bare = again({ engine: { program: join(elsewhere, 'log-engine.mjs') } })
  expect(bare.answers()).toBe(false)
  bare.append(ref, [event('a', 1)])
  await bare.flush()
  await bare.tidyAll()
  const missing = { code: 'logs_engine_missing', status: 501 }
  await expect(bare.page(ref, page(0, 60), all)).rejects.toMatchObject(missing)
  expect(await bare.oldest(ref)).toBeDefined()
  // One that is installed and cannot be loaded, as that of another system.
  await writeFile(join(folder, 'broken.mjs'), broken)
  const wrong = again({ engine: { program: join(folder, 'broken.mjs') } })
  await expect(wrong.page(ref, page(0, 60), all)).rejects.toMatchObject(missing)
  expect(wrong.answers()).toBe(false)
  expect(idsOf((await store.page(ref, page(0, 60), all)).events)).toEqual(['a'])
})
const broken = `process.on('message', () => process.send({ missing: 'wrong ELF class' }))
process.on('disconnect', () => process.exit())`
