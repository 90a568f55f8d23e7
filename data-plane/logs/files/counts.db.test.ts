import { copyFile, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { logSources } from '#contract/observability/log-sources'
import type { FacetsQuestion, LogFilter, LogRange } from '#contract/observability/logs'
import { logsRef } from '../../testing/logs/conformance.ts'
import { event, noon, range, request } from '../../testing/logs/events.ts'
import { openStore } from '../../testing/logs/store.ts'
import type { NewEvent } from '../log-store.ts'

const timeout = 60_000
const quarter = 900
const methods = ['GET', 'POST', 'DELETE']
const fields: FacetsQuestion['fields'] = ['source', 'level', 'status', 'method', 'host', 'path']

/** Entry `n` of a project that many things happen in; its path is one of `paths`. */
function entry(n: number, seconds: number, paths: number): NewEvent {
  const level = n % 11 === 0 ? 'error' : n % 5 === 0 ? 'warning' : 'info'
  if (n % 7 === 0) return event(`p${n}`, seconds, { level, columns: { severity: 'LOG' } })
  if (n % 13 === 0) return event(`a${n}`, seconds, { source: 'auth_audit_logs', level })
  const columns = {
    method: methods[n % 3] ?? '',
    status: n % 11 === 0 ? 500 : 200 + (n % 4),
    path: `/rest/v1/table_${n % paths}`,
    host: `h${n % 2}.example.com`,
  }
  return request(`e${n}`, seconds, columns, { level })
}

/** 5,000 entries from `from` hours before noon on, packed into one file. */
async function packHour(
  { store, ref }: { store: Awaited<ReturnType<typeof openStore>>['store']; ref: string },
  from: number,
  paths: number,
): Promise<void> {
  const start = -from * 3600
  for (let n = 0; n < 5000; n += 500) {
    const events = Array.from({ length: 500 }, (_, at) => {
      const of = n + at
      return entry(of, start + of * 0.72, paths)
    })
    store.append(ref, events)
    await store.flush()
  }
  await store.tidyAll()
}

type World = Awaited<ReturnType<typeof openStore>> & { ref: string; day: string }
let world: World
beforeAll(async () => {
  const opened = await openStore({ limits: { segmentBytes: 1 } })
  const { store, folder } = opened
  const ref = logsRef()
  await packHour({ store, ref }, 8, 5)
  await packHour({ store, ref }, 7, 8)
  // Its paths are too different from each other to be counted.
  await packHour({ store, ref }, 6, 5000)
  await packHour({ store, ref }, 5, 3)
  // Not packed, and too few to be counted.
  store.append(ref, [entry(1, -4 * 3600, 5), entry(7, -4 * 3600 + 1, 5)])
  await store.flush()
  world = { ...opened, ref, day: join(folder, ref, '2026-03-10') }
  return opened.close
}, timeout)

const countsIn = async (day: string) =>
  (await readdir(day)).filter((name) => name.includes('.counts'))

const filter = (field: string, op: LogFilter['op'], ...values: (string | number)[]) =>
  ({ field, op, values }) as LogFilter
const everything = { sources: [...logSources] }
const ranges: [from: number, to: number, more?: Partial<LogRange>][] = [
  [-9, 0, everything],
  [-7.9123456, -4.3217, everything],
  [-7.5, -5.5, { sources: ['edge_logs'] }],
  [-7.3, -7.2, everything],
  [-6.1, -0.1, { ...everything, search: 'table_1' }],
]
const filters: LogFilter[][] = [
  [],
  [filter('status', 'is', 500, 201)],
  [filter('status', 'at_least', 400), filter('method', 'is_not', 'GET')],
  [filter('path', 'contains', 'TABLE_1'), filter('host', 'is', 'h1.example.com')],
  [filter('severity', 'is', 'LOG')],
  [filter('source', 'is_not', 'auth_audit_logs'), filter('level', 'is', 'error', 'warning')],
  [filter('request_id', 'is', 'nobody')],
]
const keeps = [0, -6.2, -7].map((hours) => ({
  since: 0,
  auditSince: hours === 0 ? 0 : noon + hours * 3_600_000_000 + 1,
}))

/** Whatever can be asked for in numbers. */
async function answers({ store, ref }: World): Promise<unknown[]> {
  const found: unknown[] = []
  let at = 0
  for (const [from, to, more] of ranges)
    for (const wanted of filters) {
      at += 1
      const asked = { ...range(from * 3600, to * 3600, more), filters: wanted }
      const kept = keeps[at % keeps.length] ?? { since: 0, auditSince: 0 }
      found.push(await store.facets(ref, { ...asked, fields }, kept))
      found.push(await store.facets(ref, { ...asked, fields, without_own: true }, kept))
      found.push(await store.histogram(ref, { ...asked, bars: 7 }, kept))
    }
  return found
}

test(
  'what was counted when it was packed is counted as the entries themselves are',
  async () => {
    const names = await countsIn(world.day)
    expect(names.map((name) => name.replace(/^.*\.counts/, '')).toSorted()).toEqual([
      '',
      '',
      '',
      '-few',
    ])
    const quick = await answers(world)
    for (const name of names) {
      const aside = join(world.folder, name)
      await rename(join(world.day, name), aside)
      onTestFinished(() => rename(aside, join(world.day, name)))
    }
    expect(quick).toEqual(await answers(world))
  },
  timeout,
)

test('numbers of whole quarters of an hour come from what was counted, all others from entries', async () => {
  const { store, ref, day } = world
  const [first = '', ...others] = (await countsIn(day)).filter((name) => name.endsWith('.counts'))
  const total = async (from: number, to: number, search = '') => {
    const asked = range(from, to, { ...everything, search })
    const found = await store.facets(
      ref,
      { ...asked, fields: ['source'] },
      { since: 0, auditSince: 0 },
    )
    return found['source']?.reduce((sum, { count }) => sum + count, 0)
  }
  const all = await total(-8 * 3600, 0)
  expect(all).toBe(20_002)
  const aside = join(day, '../aside')
  await copyFile(join(day, first), aside)
  onTestFinished(async () => copyFile(aside, join(day, first)))
  // Those of another hour in its place: they are beyond the hour that is asked for.
  await copyFile(join(day, others[0] ?? ''), join(day, first))
  expect(await total(-8 * 3600, -7 * 3600)).toBe(0)
  expect(await total(-8 * 3600, -8 * 3600 + quarter - 1)).toBe(1249)
  expect(await total(-8 * 3600, -7 * 3600, 'message of')).toBe(1045)
})

test(
  'files that are merged are counted anew, and counts without their file are removed',
  async () => {
    const { store, folder, close } = await openStore({ limits: { segmentBytes: 1, filesOfDay: 1 } })
    onTestFinished(close)
    const ref = logsRef()
    await packHour({ store, ref }, 8, 5)
    await packHour({ store, ref }, 7, 5)
    const day = join(folder, ref, '2026-03-10')
    const before = await countsIn(day)
    await copyFile(join(day, before[0] ?? ''), join(day, 'nobody-1.counts'))
    await store.tidyAll()
    const names = await readdir(day)
    expect(names).toHaveLength(2)
    const [counts = ''] = await countsIn(day)
    expect(before).not.toContain(counts)
    expect(names.some((name) => name.endsWith(`-${counts.replace('.counts', '.parquet')}`))).toBe(
      true,
    )
  },
  timeout,
)
