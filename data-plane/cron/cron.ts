import type { CronProject } from '#contract/internal-api'
import type { Log } from '#kit/log'
import type { OpenProject } from '../projects/open-project.ts'
import { createWorkers } from '../projects/workers.ts'
import { Scheduler, type CronTiming } from './scheduler.ts'

/** Where it learns which databases have jobs. */
export type CronSource = {
  cron(): Promise<CronProject[]>
  /** Hears of every moment at which that, or how a project is reached, may have changed. Returns how to stop listening. */
  onAnyChange(listener: () => void): () => void
}
type Options = {
  source: CronSource
  /** Rejects while the project has no running database. */
  open: (ref: string) => Promise<OpenProject | undefined>
  timing?: CronTiming | undefined
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined
  log: Log
}

const usualTiming = { look: 30_000, retry: 15_000 }

/** A scheduler for every project whose database has pg_cron, as long as it runs. */
export function createCron({ source, open, timing = usualTiming, now = Date.now, log }: Options) {
  let runDays = new Map<string, number>()
  return createWorkers({
    what: 'The jobs',
    desired: async () => {
      const found = await source.cron()
      runDays = new Map(found.map(({ ref, run_days: days }) => [ref, days]))
      return [...runDays.keys()]
    },
    onAnyChange: (listener) => source.onAnyChange(listener),
    open,
    start: (project) =>
      new Scheduler({
        project,
        timing,
        now,
        runDays: () => runDays.get(project.connection.ref),
        log,
      }),
    log,
  })
}
