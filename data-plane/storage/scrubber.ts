import type { Log } from '#kit/log'
import type { OpenProject } from '../projects/open-project.ts'
import { rowsOf } from './access.ts'
import { isChoice } from './archive/archive-choice.ts'
import { NoBytesError } from './backends/backend.ts'
import { knownVersions, versionsAfter } from './objects-store.ts'
import { purgeExpired } from './trash/trash.ts'
import type { Storage } from './transfer/uploads.ts'

const operation = 'storage.scrub'
const batch = 500
const day = 24 * 60 * 60 * 1000

type Found = { purged: number; unnamed: number; missing: number }

/**
 * Ends what is over in the trash, and compares bytes and rows. Bytes that no row names, and that have been there for
 * longer than any upload takes, may be what a crash has left, or newer than a database that was restored: they are kept
 * and told of. Rows without bytes can only be told about too; those written by hand (seeds) never had any.
 * @returns how many of each there were that should not be
 */
export async function scrub(storage: Storage, age?: { olderThan: number }): Promise<Found> {
  const { ref, log } = storage
  const purged = await purgeExpired(storage)
  const unnamed = await sweepUnnamed(storage, { ...age, remove: false })
  const missing = await countMissing(storage)
  if (unnamed + missing > 0) log.warn({ ref, unnamed, missing }, 'Stored bytes and rows differed')
  return { purged, unnamed, missing }
}

/** What no row names; removed by the operator's word alone. What archives were made of is known, and goes anyway. */
export async function sweepUnnamed(
  { access, backend, ref }: Pick<Storage, 'access' | 'backend' | 'ref'>,
  { olderThan = day, remove }: { olderThan?: number; remove: boolean },
): Promise<number> {
  const latest = Date.now() - olderThan
  let unnamed = 0
  let old: string[] = []
  async function settle(): Promise<void> {
    const [rows] = await access.asOwner({ operation, statements: [knownVersions(old)] })
    const known = new Set(rowsOf<string>(rows))
    const found = old.filter((version) => !known.has(version))
    const gone = remove ? found : found.filter((version) => isChoice(version))
    await backend.remove(gone.map((version) => ({ ref, version })))
    unnamed += found.filter((version) => !isChoice(version)).length
    old = []
  }
  for await (const { version, at } of backend.list(ref)) {
    if (at > latest) continue
    if (old.push(version) === batch) await settle()
  }
  if (old.length > 0) await settle()
  return unnamed
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
      if (performance.now() - (done.get(ref) ?? -Infinity) < day) return
      done.set(ref, performance.now())
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
