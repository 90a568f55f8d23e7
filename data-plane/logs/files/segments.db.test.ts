import { chmod, chown, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runsAsRoot } from '#kit/postgres/os-user'
import { logColumns, logSourceTable } from '#contract/observability/log-sources'
import { idsOf, logsRef } from '../../testing/logs/conformance.ts'
import { event, noon, page, request } from '../../testing/logs/events.ts'
import { openStore } from '../../testing/logs/store.ts'
import { entryColumns } from './entry-lines.ts'

const all = { since: 0, auditSince: 0 }
const hours = 3600

async function opened(options: Parameters<typeof openStore>[0] = {}) {
  const found = await openStore(options)
  onTestFinished(found.close)
  const ref = logsRef()
  const names = async (day = '2026-03-10') =>
    (await readdir(join(found.folder, ref, day))).map((name) =>
      name.replace(/[0-9a-z]{15}(?=-\d+\.)/, 'W'),
    )
  return { ...found, ref, names }
}

test('lines have every column of the contract', () => {
  const known: readonly string[] = entryColumns
  expect(Object.keys(logColumns).filter((name) => !known.includes(name))).toEqual([])
  const fields = Object.values(logSourceTable).flatMap(({ fields: own }) => own)
  expect(fields.filter(({ column }) => column && !known.includes(column))).toEqual([])
})

test('a file begins with what its values are, has one entry a line, and is sealed when it is full', async () => {
  const { store, ref, folder, names } = await opened({ limits: { segmentBytes: 2000 } })
  store.append(ref, [event('a', 1), request('b', 2)])
  await store.flush()
  expect(await names()).toEqual(['W-1.jsonl'])
  const [name = ''] = await readdir(join(folder, ref, '2026-03-10'))
  const lines = (await readFile(join(folder, ref, '2026-03-10', name), 'utf8')).split('\n')
  const [first, ...entries] = lines.slice(0, -1).map((line): unknown => JSON.parse(line))
  expect(first).toEqual({ version: 1, columns: entryColumns })
  expect(entries).toHaveLength(2)
  expect(entries[1]).toEqual(expect.arrayContaining(['b', noon + 2e6, 'edge_logs', 'info', 'GET']))
  expect(lines.at(-1)).toBe('')

  store.append(ref, [event('c', 3, { message: 'x'.repeat(2000) })])
  await store.flush()
  store.append(ref, [event('d', 4)])
  await store.flush()
  const span = `${noon + 1e6}-${noon + 3e6}`
  expect((await names()).toSorted()).toEqual([`${span}-W-1.sealed.jsonl`, 'W-2.jsonl'])
})

test('a day has a file of its own, which is sealed when the day is over', async () => {
  let ms = noon / 1000 + 11.9 * hours * 1000
  const { store, ref, names } = await opened({ now: () => ms })
  store.append(ref, [event('today', 0), event('yesterday', -24 * hours)])
  await store.flush()
  expect(await names()).toEqual(['W-1.jsonl'])
  expect(await names('2026-03-09')).toEqual(['W-2.jsonl'])
  ms += 1000 * hours
  await store.tidyAll()
  expect(await names()).toEqual([expect.stringMatching(/parquet$/)])
  store.append(ref, [event('late', 1)])
  expect(idsOf((await store.page(ref, page(-48 * hours, 60), all)).events)).toEqual([
    'late',
    'today',
    'yesterday',
  ])
})

test('entries whose clock is wrong have the time of their arrival', async () => {
  const { store, ref } = await opened()
  const wrong = [Number.NaN, 0, -5, noon * 3, Infinity, noon - 200 * 86_400e6]
  store.append(
    ref,
    wrong.map((timestamp, at) => ({ ...event(`e${at}`, 0), timestamp })),
  )
  const { events } = await store.page(ref, page(0, 2 * hours), all)
  expect(new Set(events.map(({ timestamp }) => timestamp))).toEqual(new Set([noon + 3_600_000_000]))
  expect(events).toHaveLength(wrong.length)
})

test('what cannot be written in time is counted, and what went well goes first', async () => {
  const { store, ref } = await opened({ limits: { waitingOfProject: 3500 } })
  const large = { message: 'x'.repeat(900) }
  store.append(ref, [
    event('a', 1, { ...large, level: 'error' }),
    event('b', 2, large),
    event('c', 3, large),
    event('d', 4, large),
    event('e', 5, large),
    event('f', 6, { ...large, level: 'error' }),
  ])
  const { events, lost } = await store.page(ref, page(0, 60), all)
  expect(idsOf(events)).toEqual(['f', 'd', 'c', 'b'])
  expect(lost).toEqual([{ from: noon + 1e6, to: noon + 5e6, count: 2, reason: 'memory' }])
  store.append(ref, [event('g', 7)])
  expect(idsOf((await store.page(ref, page(0, 60), all)).events)[0]).toBe('g')
})

test('a folder that somebody has removed is made again', async () => {
  const { store, again, ref } = await opened()
  store.append(ref, [event('a', 1)])
  await store.flush()
  await again().drop(ref)
  // What goes into the file that has no name any more is lost until somebody looks.
  store.append(ref, [event('b', 2)])
  await store.flush()
  await store.tidyAll()
  store.append(ref, [event('c', 3)])
  expect(idsOf((await store.page(ref, page(0, 60), all)).events)).toEqual(['c'])
})

test('a project that another process has removed is read anew', async () => {
  const { store, again, ref } = await opened()
  const other = again()
  store.append(ref, [event('a', 1)])
  const ids = async () => idsOf((await store.page(ref, page(0, 60), all)).events)
  expect(await ids()).toEqual(['a'])
  // Its reader is up, in a folder that is no more.
  await other.drop(ref)
  await store.tidyAll()
  other.append(ref, [event('b', 2)])
  await other.flush()
  expect(await ids()).toEqual(['b'])
})

test('a name that is none of ours is left alone', async () => {
  const { store, ref, folder } = await opened()
  store.append(ref, [event('a', 1)])
  await store.flush()
  const strange = join(folder, ref, '2026-03-10', 'notes.txt')
  await writeFile(strange, '["x",1]')
  await store.tidyAll()
  expect(idsOf((await store.page(ref, page(0, 60), all)).events)).toEqual(['a'])
  expect(await readFile(strange, 'utf8')).toBe('["x",1]')
  const outside = `${basename(folder)}-outside`
  store.append(`../${outside}`, [event('a', 1)])
  await store.flush()
  expect(await readdir(join(folder, '..'))).not.toContain(outside)
})

test.runIf(runsAsRoot())(
  'what another user has written before is given to its reader',
  async () => {
    const { store, again, ref, folder } = await opened({ limits: { segmentBytes: 1 } })
    store.append(ref, [event('a', 1)])
    await store.flush()
    const day = join(folder, ref, '2026-03-10')
    const [name = ''] = await readdir(day)
    for (const path of [join(day, name), day, join(folder, ref)]) {
      await chown(path, 65_534, 65_534)
      await chmod(path, path.endsWith('jsonl') ? 0o600 : 0o700)
    }
    expect(idsOf((await again().page(ref, page(0, 60), all)).events)).toEqual(['a'])
  },
)

test('nobody but its reader may look into the folder of a project', async () => {
  const { store, ref, folder } = await opened({ limits: { segmentBytes: 1 } })
  store.append(ref, [event('a', 1)])
  await store.flush()
  await store.tidyAll()
  store.append(ref, [event('b', 2)])
  await store.flush()
  const day = join(folder, ref, '2026-03-10')
  const [folderMode, fileMode] = runsAsRoot() ? [0o2750, 0o640] : [0o700, 0o600]
  for (const path of [join(folder, ref), day])
    expect((await stat(path)).mode & 0o7777).toBe(folderMode)
  const names = await readdir(day)
  expect(names).toHaveLength(2)
  for (const name of names) expect((await stat(join(day, name))).mode & 0o7777).toBe(fileMode)
})
