import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ballastBytes, givenUpBelow, keepBallast, madeFrom } from './ballast.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function started(before: number) {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-ballast-'))
  ends.push(() => rm(folder, { recursive: true }))
  const file = join(folder, 'ballast')
  const lines: string[] = []
  const disk = { free: before, looks: 0 }
  const ballast = keepBallast({
    file,
    say: (line) => lines.push(line),
    free: async () => {
      disk.looks++
      return disk.free
    },
    everyMs: 5,
  })
  ends.push(() => ballast.stop())
  /** Bytes that it takes of the disk, and not only says. */
  const taken = async () => ((await stat(file).catch(() => undefined))?.blocks ?? 0) * 512
  /** After it has looked at this much free space. */
  async function leave(free: number): Promise<void> {
    disk.free = free
    const before = disk.looks
    await expect.poll(() => disk.looks).toBeGreaterThan(before + 2)
  }
  return { leave, lines, taken }
}

test('it lies there while there is space, goes when there is none, and comes again', async () => {
  const { leave, lines, taken } = await started(madeFrom)
  await expect.poll(taken).toBeGreaterThanOrEqual(ballastBytes)
  await leave(givenUpBelow)
  expect(await taken()).toBeGreaterThanOrEqual(ballastBytes)
  await leave(givenUpBelow - 1)
  expect(await taken()).toBe(0)
  expect(lines).toEqual([expect.stringContaining('the disk is full')])
  // Not before there is much more than it takes.
  await leave(madeFrom - 1)
  expect(await taken()).toBe(0)
  await leave(madeFrom)
  expect(await taken()).toBeGreaterThanOrEqual(ballastBytes)
  expect(lines).toHaveLength(1)
})

test('a disk that cannot be asked is told once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-ballast-'))
  ends.push(() => rm(folder, { recursive: true }))
  const lines: string[] = []
  let asked = 0
  const ballast = keepBallast({
    file: join(folder, 'ballast'),
    say: (line) => lines.push(line),
    free: () => {
      asked++
      return Promise.reject(new Error('The disk is gone'))
    },
    everyMs: 1,
  })
  ends.push(() => ballast.stop())
  await expect.poll(() => asked).toBeGreaterThan(3)
  expect(lines).toEqual([expect.stringContaining('cannot be looked after')])
})
