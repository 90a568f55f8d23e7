import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '#kit/log'
import { dayMicros, dayOf, folderOfDay, spanOfDay } from './days.ts'
import { filesOfDay } from './listing.ts'
import type { LogLimits } from './limits.ts'
import { namesIn, statOf, type ProjectFolders } from './project-folders.ts'

type Options = { folders: ProjectFolders; now: () => number; limits: LogLimits; log: Log }
type DayBytes = { day: number; bytes: number }

/** What of the room for logs a process may write before it is counted again. */
const share = 1 / 50

/** Removes what is older than it may be, or more than there is room for. */
export function createSpace({ folders, now, limits, log }: Options) {
  let written = 0

  async function bytesOfDay(ref: string, day: number): Promise<number> {
    const folder = folders.ofDay(ref, day)
    let bytes = 0
    for (const name of await namesIn(folder)) bytes += (await statOf(join(folder, name)))?.size ?? 0
    return bytes
  }
  const removeDay = (ref: string, day: number) =>
    rm(folders.ofDay(ref, day), { recursive: true, force: true, maxRetries: 5 })

  /** Of a day that is not over the earliest files go; those that are written to stay. */
  async function thin(ref: string, { day, bytes }: DayBytes, tooMany: number): Promise<number> {
    if (day < dayOf(now() * 1000)) {
      await removeDay(ref, day)
      return bytes
    }
    const folder = folders.ofDay(ref, day)
    const files = (await filesOfDay(folder)).filter(
      ({ kind }) => kind === 'sealed' || kind === 'packed',
    )
    let removed = 0
    for (const { name } of files.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))) {
      if (removed >= tooMany) break
      const size = (await statOf(join(folder, name)))?.size ?? 0
      await rm(join(folder, name), { force: true })
      removed += size
    }
    return removed
  }

  return {
    /** So many bytes were written. */
    note: (bytes: number): void => void (written += bytes),
    mayBeFull: (): boolean => written > limits.maxBytes * share,
    /**
     * Removes the oldest day of whoever has most, until everything fits: nobody has to give way to somebody who has more.
     */
    async makeRoom(): Promise<void> {
      written = 0
      const projects = new Map<string, DayBytes[]>()
      for (const ref of await folders.projects()) {
        const days: DayBytes[] = []
        for (const day of await folders.days(ref))
          days.push({ day, bytes: await bytesOfDay(ref, day) })
        projects.set(ref, days)
      }
      const sumOf = (days: readonly DayBytes[]) => days.reduce((sum, { bytes }) => sum + bytes, 0)
      let all = [...projects.values()].reduce((sum, days) => sum + sumOf(days), 0)
      while (all > limits.maxBytes) {
        const [largest] = [...projects].toSorted(([, a], [, b]) => sumOf(b) - sumOf(a))
        const [ref, days] = largest ?? []
        const oldest = days?.shift()
        if (ref === undefined || !oldest) return
        const removed = await thin(ref, oldest, all - limits.maxBytes)
        all -= removed
        log.warn(
          { ref, day: folderOfDay(oldest.day), bytes: removed },
          'logs were removed: there is no room for more',
        )
      }
    },
    /** Removes the days that ended before a moment. */
    async retain(ref: string, before: number): Promise<void> {
      for (const day of await folders.days(ref))
        if (spanOfDay(day).to <= before) await removeDay(ref, day)
    },
    /** Where the oldest day that has something begins. */
    async oldest(ref: string): Promise<number | undefined> {
      for (const day of await folders.days(ref))
        if ((await namesIn(folders.ofDay(ref, day))).length > 0) return day * dayMicros
      return undefined
    },
  }
}
export type Space = ReturnType<typeof createSpace>
