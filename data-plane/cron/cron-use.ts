import type { Log } from '#kit/log'
import type { OpenProject } from '../projects/open-project.ts'
import type { CronSource } from './cron.ts'
import { hasCron } from './job-store.ts'

type Options = {
  source: Pick<CronSource, 'cron'>
  keepUse: (ref: string, used: boolean) => Promise<void>
  open: (ref: string) => Promise<OpenProject | undefined>
  log: Log
}

/** A database is looked at this long after it may have been changed, and no more often. */
const settleMs = 1000
/** What is known of a database is believed this long; another process may have told the opposite. */
const believedMs = 60_000
const maxKnown = 10_000

/**
 * Finds out which databases have pg_cron. People create and drop the extension in SQL, which passes this process whichever way it
 * comes; whoever has passed leads to one look, and what is new is told.
 */
export function createCronUse({ source, keepUse, open, log }: Options) {
  const waiting = new Map<string, NodeJS.Timeout>()
  const looking = new Set<Promise<void>>()
  const known = new Map<string, { used: boolean; until: number }>()

  async function look(ref: string): Promise<void> {
    const project = await open(ref)
    if (!project || project.closed) return
    const used = await hasCron(project.pool('plinth_sql'))
    const before = known.get(ref)
    if (before?.used === used && performance.now() < before.until) return
    if ((await source.cron()).includes(ref) !== used) await keepUse(ref, used)
    if (known.size >= maxKnown) known.clear()
    known.set(ref, { used, until: performance.now() + believedMs })
  }

  return {
    changed(ref: string): void {
      if (waiting.has(ref)) return
      const timer = setTimeout(() => {
        waiting.delete(ref)
        const done = look(ref)
          .catch((error: unknown) =>
            // The next one who passes leads to another look.
            log.debug({ err: error, ref }, 'Whether a database has jobs is not known'),
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
