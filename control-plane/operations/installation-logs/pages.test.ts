import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { installationLogs as api } from '#contract/operations/installation-logs'
import { logFilePath, openLogFiles } from '#kit/log-files'
import { createLogPages } from './pages.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-log-pages-'))
  onTestFinished(() => rm(folder, { recursive: true }))
})

const line = (n: number, more: object = {}) =>
  JSON.stringify({
    level: 30,
    time: 1000 + n,
    program: 'control-plane',
    msg: `entry ${n}`,
    ...more,
  })
function written(lines: readonly string[], bytes = 1000, files = 5) {
  const logs = openLogFiles({
    folder,
    limits: { files, bytes },
    complain: (text) => {
      throw new Error(text)
    },
  })
  for (const one of lines) logs.write(one)
  logs.close()
}
const page = (question: object = {}) =>
  createLogPages(folder).page(api.page.input.parse({ ...question }))
const messages = async (question: object = {}) =>
  (await page(question)).entries.map(({ message }) => message)
const numbers = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, i) => `entry ${from - i}`)

test('an empty folder has no entries, and the first ones are new', async () => {
  const { entries, older, newer } = await page()
  expect({ entries, older }).toEqual({ entries: [], older: null })
  written([line(1)])
  expect(await messages({ after: newer })).toEqual(['entry 1'])
})

test('pages lead from the newest to the oldest, over the ends of files, each entry once', async () => {
  written(Array.from({ length: 40 }, (_, i) => line(i)))
  const seen: string[] = []
  let before: string | null | undefined
  for (let pages = 0; before !== null; pages += 1) {
    expect(pages).toBeLessThan(10)
    const found = await page({ limit: 7, ...(before ? { before } : {}) })
    seen.push(...found.entries.map(({ message }) => message))
    before = found.older
  }
  expect(seen).toEqual(numbers(39, 0))
})

test('what comes while one reads comes once, however much it is', async () => {
  written([line(0)])
  let { newer } = await page()
  expect(await messages({ after: newer })).toEqual([])
  written(Array.from({ length: 30 }, (_, i) => line(i + 1)))
  const seen: string[] = []
  for (let looks = 0; looks < 6; looks += 1) {
    const found = await page({ after: newer, limit: 8 })
    seen.unshift(...found.entries.map(({ message }) => message))
    newer = found.newer
  }
  expect(seen).toEqual(numbers(30, 1))
})

test('level, program and text choose', async () => {
  written([
    line(1),
    line(2, { level: 40 }),
    line(3, { level: 50, program: 'data-plane', err: { message: 'Port in USE' } }),
    line(4, { level: 60 }),
    line(5, { level: 20 }),
  ])
  expect(await messages({ level: 'warn' })).toEqual(['entry 4', 'entry 3', 'entry 2'])
  expect(await messages({ level: 'info' })).toEqual(['entry 4', 'entry 3', 'entry 2', 'entry 1'])
  expect(await messages({ program: 'data-plane' })).toEqual(['entry 3'])
  expect(await messages({ text: 'port in use' })).toEqual(['entry 3'])
  expect(await messages({ text: 'nowhere' })).toEqual([])
  const [entry] = (await page({ program: 'data-plane' })).entries
  expect(entry).toMatchObject({ level: 'error', timestamp: new Date(1003).toISOString() })
  expect(entry?.detail).toContain('Port in USE')
})

test('what is no entry is passed over, also a line that a crash has cut off', async () => {
  written([line(1), line(2)])
  await appendFile(
    logFilePath(folder, 1),
    `not json\n[1]\n{"level":30}\n${line(3)}\n{"level":30,"ti`,
  )
  expect(await messages()).toEqual(['entry 3', 'entry 2', 'entry 1'])
})

test('lines longer than what is read at a time, and letters of several bytes, stay whole', async () => {
  const long = 'ä'.repeat(50_000)
  written([line(1, { long }), line(2), line(3, { long }), line(4)], 10_000_000)
  expect(await messages()).toEqual(['entry 4', 'entry 3', 'entry 2', 'entry 1'])
  expect(await messages({ text: long.slice(0, 100) })).toEqual(['entry 3', 'entry 1'])
})

test('one answer looks through a part only, and says where it goes on', async () => {
  const filler = 'x'.repeat(1000)
  written(
    [line(0, { wanted: true }), ...Array.from({ length: 6000 }, (_, i) => line(i + 1, { filler }))],
    20_000_000,
  )
  const first = await page({ text: 'wanted' })
  expect(first.entries).toEqual([])
  expect(first.older).not.toBeNull()
  const second = await page({ text: 'wanted', before: first.older ?? '' })
  expect(second.entries.map(({ message }) => message)).toEqual(['entry 0'])
})

test('places of files that have gone lead to what there is', async () => {
  written(
    Array.from({ length: 60 }, (_, i) => line(i)),
    500,
    2,
  )
  expect(await page({ before: '1.100' })).toMatchObject({ entries: [], older: null })
  await rm(folder, { recursive: true })
  await mkdir(folder)
  written([line(1)])
  const { newer } = await page({ after: '99.5000' })
  written([line(7)])
  expect(await messages({ after: newer })).toEqual(['entry 7'])
})

test.each(['', 'x', '1', '1.', '-1.0', '../1.2', '1.2.3', '9999999999.1'])(
  'the place %j is refused',
  (before) => {
    expect(api.page.input.safeParse({ before }).success).toBe(false)
  },
)
