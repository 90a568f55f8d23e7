import { appendFile, mkdtemp, readdir, readFile, rm, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { meteredMetrics, sightingKinds, type UsageBucket } from '#contract/billing/usage-metrics'
import { createJournal, createSearch, readLines } from './journal.ts'

const ref = fc.constantFrom('abcdefghijklmnopqrst', 'zbcdefghijklmnopqrst')
const minute = fc.integer({ min: 29_000_000, max: 29_000_002 })
const bucket = fc.record({
  start: fc.constantFrom(
    '11111111-1111-4111-8111-111111111111',
    '22222222-2222-4222-8222-222222222222',
  ),
  ref,
  metric: fc.constantFrom(...meteredMetrics.slice(0, 3)),
  minute,
  value: fc.integer({ min: 0, max: 1000 }),
})
const sighting = fc.record({
  ref,
  kind: fc.constantFrom(...sightingKinds),
  hash: fc.constantFrom('AAAAAAAAAAAAAAAAAAAAAA', 'BBBBBBBBBBBBBBBBBBBBBB'),
  minute,
})
const writes = fc.array(
  fc.record({
    buckets: fc.array(bucket, { maxLength: 4 }),
    sightings: fc.array(sighting, { maxLength: 2 }),
  }),
  { maxLength: 6 },
)

async function folderOf(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-journal-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
const keyOf = ({ start, ref: of, metric, minute: at }: UsageBucket) =>
  `${start} ${of} ${metric} ${at}`
const textOf = async (folder: string) => {
  const [name = ''] = await readdir(folder)
  return readFile(join(folder, name), 'utf8')
}

test('what is read is the highest value of each bucket, however it was written and cut off', async () => {
  await fc.assert(
    fc.asyncProperty(writes, fc.nat(), async (all, cut) => {
      const folder = await mkdtemp(join(tmpdir(), 'plinth-journal-'))
      try {
        const journal = createJournal(folder)
        for (const entries of all) expect(await journal.append(entries)).toBe(true)
        await journal.close(true)
        if ((await readdir(folder)).length === 0) return
        const text = await textOf(folder)
        const highest = new Map<string, number>()
        for (const one of all.flatMap(({ buckets }) => buckets))
          highest.set(keyOf(one), Math.max(highest.get(keyOf(one)) ?? -1, one.value))
        const whole = readLines(text)
        expect(new Map(whole.buckets.map((one) => [keyOf(one), one.value]))).toEqual(highest)
        expect(new Set(whole.sightings.map((one) => JSON.stringify(one)))).toEqual(
          new Set(all.flatMap(({ sightings }) => sightings.map((one) => JSON.stringify(one)))),
        )
        // Cut off anywhere: never more than was counted, and nothing that never was.
        const torn = text.slice(0, cut % (text.length + 1))
        for (const one of readLines(torn).buckets)
          expect(one.value).toBeLessThanOrEqual(highest.get(keyOf(one)) ?? -1)
        // Read twice, and in another order, it says the same.
        const lines = text.split('\n')
        const again = readLines([...lines, ...lines.toReversed()].join('\n'))
        expect(new Map(again.buckets.map((one) => [keyOf(one), one.value]))).toEqual(highest)
      } finally {
        await rm(folder, { recursive: true })
      }
    }),
    { numRuns: 60 },
  )
})

const one = (value: number): UsageBucket => ({
  start: '11111111-1111-4111-8111-111111111111',
  ref: 'abcdefghijklmnopqrst',
  metric: 'egress_rest',
  minute: 29_000_000,
  value,
})
const only = (...values: number[]) => ({ buckets: values.map(one), sightings: [] })

test('what a crash has left of a line spoils none of the lines behind it', async () => {
  const folder = await folderOf()
  const journal = createJournal(folder)
  await journal.append(only(5))
  const [name = ''] = await readdir(folder)
  await appendFile(
    join(folder, name),
    '\n["11111111-1111-4111-8111-111111111111","abcdefghijklmnop',
  )
  await journal.append(only(7))
  expect(readLines(await textOf(folder)).buckets).toEqual([one(7)])
  await journal.close(true)
})

test.each([
  ['another file', 'hello\n{}\n[]\nnull'],
  ['a negative count', JSON.stringify([one(1).start, one(1).ref, 'egress_rest', 1, -5])],
  ['an unknown metric', JSON.stringify([one(1).start, one(1).ref, 'gold', 1, 5])],
  ['a ref that is none', JSON.stringify([one(1).start, "x'); drop", 'egress_rest', 1, 5])],
  ['a hash that is none', JSON.stringify([one(1).ref, 'users', 'short', 1])],
])('%s says nothing', (_, text) => {
  expect(readLines(text)).toEqual({ buckets: [], sightings: [] })
})

test('written anew, there is one file with what is left; with nothing left, none', async () => {
  const folder = await folderOf()
  const journal = createJournal(folder)
  await journal.append(only(5, 6))
  await journal.replace(only(9))
  expect(await readdir(folder)).toHaveLength(1)
  expect(readLines(await textOf(folder)).buckets).toEqual([one(9)])
  await journal.replace(only())
  expect(await readdir(folder)).toEqual([])
  expect(await journal.append(only())).toBe(true)
  expect(await readdir(folder)).toEqual([])
})

test('a journal that was removed says so with the next write', async () => {
  const folder = await folderOf()
  const journal = createJournal(folder)
  await journal.append(only(5))
  const [name = ''] = await readdir(folder)
  await unlink(join(folder, name))
  expect(await journal.append(only(6))).toBe(false)
  await journal.replace(only(6))
  expect(readLines(await textOf(folder)).buckets).toEqual([one(6)])
  await journal.close(false)
})

test('a journal belongs to a dead process once it has stayed the same, and never while it is touched', async () => {
  const folder = await folderOf()
  const [dead, alive] = [createJournal(folder), createJournal(folder)]
  await dead.append(only(1))
  const [deadName = ''] = await readdir(folder)
  await dead.close(true)
  await alive.append(only(2))
  const search = createSearch(folder, 50, () => false)
  await expect
    .poll(
      async () => {
        await alive.append(only())
        return search.dead()
      },
      { interval: 10 },
    )
    .toEqual([join(folder, deadName)])
  expect(await search.read(join(folder, deadName))).toEqual(only(1))
  await search.remove(join(folder, deadName))
  await alive.append(only())
  expect(await search.dead()).toEqual([])
  await alive.close(false)
})

test('without a folder nobody is dead', async () => {
  expect(await createSearch('/nowhere/at/all', 0, () => false).dead()).toEqual([])
})
