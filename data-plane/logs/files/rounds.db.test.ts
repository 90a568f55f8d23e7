import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { idsOf, logsRef } from '../../testing/logs/conformance.ts'
import { event, noon, page } from '../../testing/logs/events.ts'
import { openStore } from '../../testing/logs/store.ts'
import { createWriters } from './writers.ts'

/** Each packing starts a child. */
const timeout = { timeout: 120_000 }
const all = { since: 0, auditSince: 0 }
const day = 86_400

async function opened(options: Parameters<typeof openStore>[0] = {}) {
  const found = await openStore(options)
  onTestFinished(found.close)
  const files = async (ref: string) => {
    const names = await readdir(join(found.folder, ref), { recursive: true })
    return names.filter((name) => /\.(jsonl|parquet)$/.test(name)).toSorted()
  }
  return { ...found, files }
}

test('who has most gives way first, by the oldest of it, and nobody else', timeout, async () => {
  const { store, files } = await opened({ limits: { segmentBytes: 1, maxBytes: 20_000 } })
  const [large, small] = [logsRef(), logsRef()]
  const noise = () => Array.from({ length: 6000 }, () => Math.random().toString(36)[2]).join('')
  for (const at of [-3, -2, -1, 0]) {
    store.append(large, [event(`large${at}`, at * day, { message: noise() })])
    store.append(small, [event(`small${at}`, at * day)])
    await store.flush()
  }
  await store.tidyAll()
  const ids = async (ref: string) => idsOf((await store.page(ref, page(-4 * day, 60), all)).events)
  expect(await ids(small)).toEqual(['small0', 'small-1', 'small-2', 'small-3'])
  const left = await ids(large)
  expect(left.length).toBeGreaterThan(0)
  expect(left.length).toBeLessThan(4)
  expect(left).toEqual(['large0', 'large-1', 'large-2'].slice(0, left.length))
  expect(await store.oldest(large)).toBeGreaterThan(noon - 3.5 * day * 1e6)
  expect((await files(small)).length).toBe(4)
})

test(
  'of a day that is not over the earliest files go, and none that is written to',
  timeout,
  async () => {
    const { store, files } = await opened({ limits: { segmentBytes: 1500, maxBytes: 3000 } })
    const ref = logsRef()
    const noise = () => Array.from({ length: 2000 }, () => Math.random().toString(36)[2]).join('')
    for (const at of [1, 2, 3]) {
      store.append(ref, [event(`e${at}`, at, { message: noise() })])
      await store.flush()
      await store.tidyAll()
    }
    store.append(ref, [event('now', 4)])
    await store.flush()
    await store.tidyAll()
    const found = idsOf((await store.page(ref, page(0, 60), all)).events)
    expect(found[0]).toBe('now')
    expect(found).not.toContain('e1')
    expect((await files(ref)).some((name) => /W?-\d+\.jsonl$/.test(name))).toBe(true)
  },
)

test('a day of many files is merged, whole', timeout, async () => {
  const { store, files } = await opened({ limits: { segmentBytes: 1, filesOfDay: 4, packInto: 1 } })
  const ref = logsRef()
  for (let at = 0; at < 9; at += 1) {
    store.append(ref, [event(`e${at}`, at)])
    await store.flush()
  }
  await store.tidyAll()
  expect((await files(ref)).length).toBe(9)
  await store.tidyAll()
  expect((await files(ref)).length).toBeLessThanOrEqual(4)
  const { events } = await store.page(ref, page(0, 60), all)
  expect(idsOf(events)).toEqual(Array.from({ length: 9 }, (_, at) => `e${8 - at}`))
})

test(
  'lines are packed a quarter of an hour after they were sealed, and not before',
  timeout,
  async () => {
    let ms = Date.now()
    const { store, folder, files } = await opened({
      now: () => ms,
      limits: { segmentBytes: 1, roundMs: 20 },
    })
    const ref = logsRef()
    store.append(ref, [{ ...event('a', 0), timestamp: ms * 1000 }])
    await store.flush()
    const [name = ''] = await files(ref)
    expect(name).toMatch(/sealed\.jsonl$/)
    const { ctimeMs } = await stat(join(folder, ref, name))
    ms = ctimeMs + 14 * 60_000
    // Rounds have gone by since.
    await store.ready
    expect(await files(ref)).toEqual([name])
    ms = ctimeMs + 15 * 60_000 + 1
    await expect.poll(() => files(ref)).toEqual([expect.stringMatching(/parquet$/)])
  },
)

test('much that is not packed is when somebody asks', timeout, async () => {
  const { store, files } = await opened({ limits: { segmentBytes: 1, packAskedBytes: 1000 } })
  const ref = logsRef()
  store.append(ref, [event('a', 1, { message: 'x'.repeat(2000) })])
  await store.page(ref, page(0, 60), all)
  await expect.poll(() => files(ref)).toEqual([expect.stringMatching(/parquet$/)])
})

test(
  'whether a writer lives is known for certain on this machine, and by silence elsewhere',
  timeout,
  async () => {
    const { folder } = await opened()
    let ms = Date.now()
    const writers = createWriters(folder, () => ms)
    const id = await writers.id()
    const own = await readFile(join(folder, '.writers', id), 'utf8')
    const add = (name: string, text: string) => writeFile(join(folder, '.writers', name), text)
    await add('dead', own.replace(/"pid":\d+/, '"pid":999999999'))
    await add('reborn', own.replace(/"began":"\d+"/, '"began":"1"'))
    await add('elsewhere', own.replace(/"place":"/, '"place":"other '))
    await add('half', '{"pla')
    expect(await writers.look()).toEqual({
      living: [id, 'elsewhere', 'half'].toSorted(),
      dead: ['dead', 'reborn'],
    })
    ms += 11 * 60_000
    await writers.touch()
    await utimes(join(folder, '.writers', 'half'), ms / 1000, ms / 1000)
    expect((await writers.look()).dead).toEqual(['dead', 'elsewhere', 'reborn'])
  },
)

test(
  'a writer that was taken for dead goes on under another name, in other files',
  timeout,
  async () => {
    const { store, folder, files, again } = await opened()
    const ref = logsRef()
    store.append(ref, [event('a', 1)])
    await store.flush()
    const [id = ''] = await readdir(join(folder, '.writers'))
    const other = createWriters(folder, Date.now)
    await other.forget(id)
    await store.tidyAll()
    store.append(ref, [event('b', 2)])
    await store.flush()
    expect(await readdir(join(folder, '.writers'))).not.toContain(id)
    const names = await files(ref)
    expect(names.filter((name) => name.includes(id) && name.endsWith('.jsonl'))).toEqual([])
    const found = await again().page(ref, page(0, 60), all)
    expect(idsOf(found.events)).toEqual(['b', 'a'])
  },
)
