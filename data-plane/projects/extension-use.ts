import type { Log } from '#kit/log'
import { installedExtensions } from './extension-store.ts'
import type { OpenProject } from './open-project.ts'

/** An extension of ours for which a process of the platform does something. */
export type UsedExtension = {
  name: string
  /** The projects whose databases are known to have it. Rejects when nobody can tell at the moment. */
  known: () => Promise<string[]>
  keepUse: (ref: string, used: boolean) => Promise<void>
}
type Options = {
  extensions: readonly UsedExtension[]
  open: (ref: string) => Promise<OpenProject | undefined>
  log: Log
}

/** A database is looked at this long after it may have been changed, and no more often. */
const settleMs = 1000
/** What is known of a database is believed this long; another process may have told the opposite. */
const believedMs = 60_000
const maxKnown = 10_000

/**
 * Finds out which databases have such extensions. People create and drop them in SQL, which passes this process whichever way it
 * comes; whoever has passed leads to one look, and what is new is told.
 */
export function createExtensionUse({ extensions, open, log }: Options) {
  const names = extensions.map(({ name }) => name)
  const waiting = new Map<string, NodeJS.Timeout>()
  const looking = new Set<Promise<void>>()
  const found = new Map<string, { installed: string; until: number }>()

  async function look(ref: string): Promise<void> {
    const project = await open(ref)
    if (!project || project.closed) return
    const installed = await installedExtensions(project.pool('plinth_sql'), names)
    const mark = installed.toSorted().join()
    const before = found.get(ref)
    if (before?.installed === mark && performance.now() < before.until) return
    for (const { name, known, keepUse } of extensions) {
      const used = installed.includes(name)
      if ((await known()).includes(ref) !== used) await keepUse(ref, used)
    }
    if (found.size >= maxKnown) found.clear()
    found.set(ref, { installed: mark, until: performance.now() + believedMs })
  }

  return {
    changed(ref: string): void {
      if (waiting.has(ref) || names.length === 0) return
      const timer = setTimeout(() => {
        waiting.delete(ref)
        const done = look(ref)
          .catch((error: unknown) =>
            // The next one who passes leads to another look.
            log.debug(
              { err: error, ref },
              'Whether a database has extensions of ours is not known',
            ),
          )
          .finally(() => looking.delete(done))
        looking.add(done)
      }, settleMs)
      timer.unref()
      waiting.set(ref, timer)
    },
    async close(): Promise<void> {
      for (const timer of waiting.values()) clearTimeout(timer)
      waiting.clear()
      await Promise.all(looking)
    },
  }
}
