import type { Log } from '#kit/log'
import type { OpenProject } from '../projects/open-project.ts'
import { rowsOf } from './access.ts'
import { isChoice } from './archive-choice.ts'
import { NoBytesError } from './backend.ts'
import { knownVersions, versionsAfter } from './objects-store.ts'
import { purgeExpired } from './trash.ts'
import type { Storage } from './uploads.ts'

const operation = 'storage.scrub'
const batch = 500
const day = 24 * 60 * 60 * 1000

/**
 * Ends what is over in the trash, and compares bytes and rows. Bytes that no row names, and that have been there for
 * longer than any upload takes, are what a crash has left, or what an archive was made of: they are removed. Rows without
 * bytes can only be told about; those written by hand (seeds) never had any.
 * @returns how many of each there were that should not be
 */
export async function scrub(
  storage: Storage,
  { olderThan = day } = {},
): Promise<{ purged: number; removed: number; missing: number }> {
  const { access, backend, ref, log } = storage
  const purged = await purgeExpired(storage)
  const latest = Date.now() - olderThan
  let removed = 0
  let old: string[] = []
  async function settle(): Promise<void> {
    const [rows] = await access.asOwner({ operation, statements: [knownVersions(old)] })
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
  return { purged, removed, missing }
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
  const inTurn = (ref: string, work: () => Promise<unknown>) => {
    running = running
      .then(work)
      .catch((error: unknown) => log.warn({ err: error, ref }, 'Storage was not scrubbed'))
  }
  return {
    /** What does not come about now, the next round does. */
    purgeSoon: (storage: Storage): void => inTurn(storage.ref, () => purgeExpired(storage)),
    seen(storage: Storage, project: OpenProject): void {
      const { ref } = storage
      if (Date.now() - (done.get(ref) ?? 0) < day) return
      done.set(ref, Date.now())
      const timer = setTimeout(() => {
        inTurn(ref, async () => {
          if (project.closed) done.delete(ref)
          else await scrub(storage)
        })
      }, 60_000)
      timer.unref()
    },
  }
}
