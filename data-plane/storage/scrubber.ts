import type { Log } from '#kit/log'
import type { OpenProject } from '../projects/open-project.ts'
import { rowsOf } from './access.ts'
import { isChoice } from './archive-choice.ts'
import { NoBytesError } from './backend.ts'
import { knownVersions, versionsAfter } from './objects-store.ts'
import type { Storage } from './uploads.ts'

const operation = 'storage.scrub'
const batch = 500
const day = 24 * 60 * 60 * 1000

/**
 * Compares bytes and rows. Bytes that no row names, and that have been there for longer than any upload takes, are what a
 * crash has left, or what an archive was made of: they are removed. Rows without bytes can only be told about; those written by hand (seeds) never had any.
 * @returns how many of each there were that should not be
 */
export async function scrub(
  { access, backend, ref, log }: Storage,
  { olderThan = day } = {},
): Promise<{ removed: number; missing: number }> {
  const latest = Date.now() - olderThan
  let removed = 0
  let old: string[] = []
  async function settle(): Promise<void> {
    const [rows] = await access.asService({ operation, statements: [knownVersions(old)] })
    const known = new Set(rowsOf<string>(rows))
    const orphans = old.filter((version) => !known.has(version))
    await backend.remove(orphans.map((version) => ({ ref, version })))
    removed += orphans.filter((version) => !isChoice(version)).length
    old = []
  }
  for await (const { version, at } of backend.list(ref)) {
    if (at > latest) continue
    if (old.push(version) === batch) await settle()
  }
  if (old.length > 0) await settle()
  const missing = await countMissing({ access, backend, ref })
  if (removed + missing > 0) log.warn({ ref, removed, missing }, 'Stored bytes and rows differed')
  return { removed, missing }
}

async function countMissing({ access, backend, ref }: Pick<Storage, 'access' | 'backend' | 'ref'>) {
  let missing = 0
  for (let after = ''; ;) {
    const [rows] = await access.asService({ operation, statements: [versionsAfter(after, batch)] })
    const versions = rowsOf<string>(rows)
    for (const version of versions) {
      try {
        await backend.size({ ref, version })
      } catch (error) {
        if (!(error instanceof NoBytesError)) throw error
        missing += 1
      }
    }
    if (versions.length < batch) return missing
    after = versions.at(-1) ?? ''
  }
}

/** Scrubs a project a minute after its storage was used, once a day, one project after the other. */
export function createScrubber(log: Log) {
  const done = new Map<string, number>()
  let running: Promise<unknown> = Promise.resolve()
  return {
    seen(storage: Storage, project: OpenProject): void {
      const { ref } = storage
      if (Date.now() - (done.get(ref) ?? 0) < day) return
      done.set(ref, Date.now())
      const timer = setTimeout(() => {
        running = running
          .then(async () => {
            if (project.closed) done.delete(ref)
            else await scrub(storage)
          })
          .catch((error: unknown) => log.warn({ err: error, ref }, 'Storage was not scrubbed'))
      }, 60_000)
      timer.unref()
    },
  }
}
