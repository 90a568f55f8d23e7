import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing, readIfExists, writeDurably } from '#kit/postgres/files'
import type { AuditCursor } from './supply.ts'

const ending = '.audit'

/** A file for each drain of an audit log, with the id of the entry that was sent last, and since when the drain sends. */
export function createAuditCursors(folder: string) {
  const fileOf = (token: string) => join(folder, `${token}${ending}`)
  return {
    /** One of another `since` is of the time before the drain was switched off. */
    of: (token: string, since: number): AuditCursor => ({
      async read() {
        const [of, id] = (await readIfExists(fileOf(token)))?.split(' ') ?? []
        return of === String(since) ? id : undefined
      },
      async write(id) {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeDurably(fileOf(token), `${since} ${id}`)
      },
    }),
    remove: (token: string): Promise<void> => rm(fileOf(token), { force: true }),
    async all(): Promise<string[]> {
      try {
        const names = await readdir(folder)
        return names
          .filter((name) => name.endsWith(ending))
          .map((name) => name.slice(0, -ending.length))
      } catch (error) {
        if (isMissing(error)) return []
        throw error
      }
    },
  }
}
