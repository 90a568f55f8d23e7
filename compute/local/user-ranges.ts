import { mkdir, open, readdir, readFile } from 'node:fs/promises'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { isMissing, readIfExists, syncFolder, writeDurably } from '#kit/postgres/files'

/** How many numbers an installation takes at a time. */
export const rangeSize = 4096
/** Above the users that people and containers have, below those that functions run as (data-plane/functions/folders.ts). */
const lowest = 700_000_000
const highest = 1_000_000_000
/** Where earlier versions began to count, in every installation. */
export const earlierRange = { base: 700_000, size: 65_536 }

/**
 * The ranges of user numbers that installations on this machine have taken: one file each in a folder that root owns, named
 * by the first number, which says the home it belongs to. Making a file that is not there yet can succeed only once, which is
 * what keeps two installations apart. A range is never given back, since files of its users may lie anywhere.
 */
export function createUserRanges(folder: string, home: string) {
  async function claim(base: number): Promise<boolean> {
    const path = join(folder, String(base))
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = await open(path, 'wx', 0o600)
      try {
        await file.writeFile(`${home}\n`)
        await file.sync()
      } finally {
        await file.close()
      }
      await syncFolder(folder)
      return true
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'EEXIST') return false
      // Where nothing can be written down for all, as in a container of its own, the lot alone decides.
      if (code === 'EROFS') return true
      throw error
    }
  }

  return {
    /** The first number of a range that nobody has, now ours. Chosen by lot, since machines may share their users. */
    async take(choose: () => number = anyBase): Promise<number> {
      const taken = await namedNumbers()
      for (let tries = 0; tries < 1000; tries++) {
        const base = choose()
        const isFree = !taken.some(({ first, count }) => overlaps(base, first, count))
        if (isFree && (await claim(base))) return base
      }
      throw new Error(`No range of users is free: remove what is not needed from ${folder}`)
    },
    /** Whether a range that this home has recorded, or has from an earlier version, is its own on this machine. */
    async hold(base: number): Promise<boolean> {
      if (await claim(base)) return true
      const path = join(folder, String(base))
      const owner = (await readFile(path, 'utf8')).trim()
      if (owner === home) return true
      // A home that was moved takes its range along; of one that was copied the first keeps it.
      if (owner !== '' && (await isHome(owner))) return false
      await writeDurably(path, `${home}\n`)
      return true
    },
  }
}
export type UserRanges = ReturnType<typeof createUserRanges>

const isHome = (path: string) =>
  readdir(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false
      throw error
    },
  )

function anyBase(): number {
  return lowest + rangeSize * randomInt(Math.floor((highest - lowest) / rangeSize))
}

const overlaps = (base: number, first: number, count: number) =>
  first < base + rangeSize && base < first + count

/** What the machine itself has given: its users and groups, and the ranges of containers. */
async function namedNumbers() {
  const fieldsOf = async (path: string) =>
    ((await readIfExists(path)) ?? '').split('\n').map((line) => line.split(':'))
  const lists = await Promise.all([
    ...['/etc/passwd', '/etc/group'].map(async (path) =>
      (await fieldsOf(path)).map(([, , id]) => ({ first: Number(id), count: 1 })),
    ),
    ...['/etc/subuid', '/etc/subgid'].map(async (path) =>
      (await fieldsOf(path)).map(([, first, count]) => ({
        first: Number(first),
        count: Number(count),
      })),
    ),
  ])
  return lists.flat().filter(({ first, count }) => first > 0 && count > 0)
}
