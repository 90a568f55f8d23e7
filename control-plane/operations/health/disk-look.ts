import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { DiskState } from '#contract/operations/health'
import type { Log } from '#kit/log'

export type DiskPlace = {
  /** The folder of the installation. */
  folder: string
  /** What lies in it, or elsewhere by a setting. */
  parts: readonly { name: string; folder: string }[]
  /** How the space is asked for; of the folder's file system unless a test says otherwise. */
  space?: (() => Promise<{ free: number; size: number }>) | undefined
}

type Deps = DiskPlace & { now: () => Date; log: Log }
type Part = DiskState['parts'][number]

const everyMs = 10 * 60_000
/** A folder of so many files that it takes longer is told of as not measured. */
const limitMs = 5 * 60_000

/**
 * How full the disk of the installation is, and by what. The space costs one call of the system at each look; the parts are
 * measured by a program of its own at the lowest priority, every 10 minutes, one folder at a time.
 */
export function createDiskLook({ folder, parts, now, log, space = () => spaceOf(folder) }: Deps) {
  let measured: { parts: Part[]; at: Date } | undefined
  let measuring: Promise<void> | undefined
  let child: ChildProcess | undefined
  let closed = false

  async function bytesOf(of: string): Promise<Part['bytes']> {
    if (!existsSync(of)) return 0
    // -H: the folder may be a link to where it lies. POSIX: in units of 1024 bytes.
    const running = spawn('nice', ['-n', '19', 'du', '-skH', of], {
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: limitMs,
    })
    child = running
    let out = ''
    running.stdout.on('data', (piece) => (out += String(piece)))
    try {
      await once(running, 'close')
    } finally {
      child = undefined
    }
    // What was removed while it counted makes it end with 1, and the sum is there all the same.
    const [, kilobytes] = /^(\d+)\s/.exec(out) ?? []
    if (kilobytes === undefined) throw new Error('The folder could not be measured in 5 minutes.')
    return Number(kilobytes) * 1024
  }

  async function measureAll(): Promise<void> {
    const found: Part[] = []
    for (const part of parts) {
      if (closed) return
      try {
        found.push({ name: part.name, bytes: await bytesOf(part.folder), why: null })
      } catch (error) {
        log.warn({ err: error, folder: part.folder }, 'a folder could not be measured')
        const why = error instanceof Error ? error.message : String(error)
        found.push({ name: part.name, bytes: null, why })
      }
    }
    measured = { parts: found, at: now() }
  }

  function measureIfOld(): void {
    if (measuring || closed) return
    if (measured && now().getTime() - measured.at.getTime() < everyMs) return
    measuring = measureAll().finally(() => (measuring = undefined))
  }

  return {
    async look(): Promise<DiskState> {
      // As it was when it was asked, however soon what begins now is over.
      const known = measured
      measureIfOld()
      const { free, size } = await space()
      return {
        folder,
        free_bytes: free,
        size_bytes: size,
        parts: known?.parts ?? [],
        parts_at: known?.at.toISOString() ?? null,
      }
    },
    async close(): Promise<void> {
      closed = true
      child?.kill()
      await measuring
    },
  }
}

/** What whoever writes there may still use: some of it may be kept for root. */
async function spaceOf(folder: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, size: blocks * bsize }
}
