import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import type { Log } from '#kit/log'
import type { Connections } from '../../connections.ts'
import { failureOf } from '../../failures.ts'
import type { Counts } from './row-import.ts'
import { loadImport, newLoad, type Load } from './row-import-load.ts'
import type { ImportRecord, ImportSpool, Outcome } from './row-import-spool.ts'

type Run = { load: Load; ended: Promise<void> }
type Deps = { connections: Connections; spool: ImportSpool; log: Log }

/** Times that rows are begun to be sent; who is cut off more often is cut off by the file. */
const maxAttempts = 5
const longestPauseMs = 15_000
/** A database that is away is waited for; a day after its start the import is removed anyway. */
const passing = new Set(['project_unreachable', 'upstream_timeout'])

/** The imports that this program is loading into tables. */
export function createImportRuns({ connections, spool, log }: Deps) {
  const runs = new Map<string, Run>()

  /** Cut off by a lost connection or a restart, it begins again; nothing of the time before was kept. */
  async function carryOn(record: ImportRecord, run: { load: Load }): Promise<void> {
    const { id, who } = record
    const { signal } = run.load.stop
    for (let pause = 250; ; pause = Math.min(pause * 2, longestPauseMs)) {
      // One that brings this program down each time must not do so for ever.
      if (((await spool.read({ ref: who.ref, id }))?.attempts ?? 0) >= maxAttempts)
        return end(record, failed(run.load.counts, tooOften))
      try {
        const outcome = await loadImport({ connections, spool, log }, record, run.load)
        return outcome && (await end(record, outcome))
      } catch (error) {
        if (signal.aborted) return
        const { body } = failureOf(error) ?? {}
        if (!passing.has(String(body?.['code']))) {
          if (!body) log.error({ err: error, project: who.ref, import: id }, 'an import failed')
          return end(record, failed(run.load.counts, problemOf(error, body)))
        }
        log.info({ err: error, project: who.ref, import: id }, 'an import is begun again')
      }
      await delay(pause, undefined, { signal, ref: false })
      run.load.counts = newLoad().counts
    }
  }

  async function end(record: ImportRecord, outcome: Outcome): Promise<void> {
    const key = { ref: record.who.ref, id: record.id }
    const now = await spool.read(key)
    if (now?.phase !== 'loading') return
    const phase = outcome.problem === null ? 'done' : 'failed'
    await spool.write({ ...now, phase, outcome, xid: null, ended_at: new Date().toISOString() })
    await spool.dropData(key)
  }

  return {
    begin(record: ImportRecord): void {
      const run: Run = { load: newLoad(), ended: Promise.resolve() }
      runs.set(record.id, run)
      run.ended = carryOn(record, run)
        .catch((error: unknown) => {
          if (!run.load.stop.signal.aborted)
            log.error({ err: error, import: record.id }, 'an import could not be carried on')
        })
        .finally(() => runs.delete(record.id))
    },
    countsOf: (id: string): Counts | undefined => runs.get(id)?.load.counts,
    isKeeping: (id: string): boolean => runs.get(id)?.load.keeping ?? false,
    async stop(id: string): Promise<void> {
      const run = runs.get(id)
      run?.load.stop.abort()
      await run?.ended
    },
    /** What is being loaded is left as it is; the next start begins it again. */
    async close(): Promise<void> {
      const all = [...runs.values()]
      for (const { load } of all) load.stop.abort()
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}

const tooOften =
  'It was cut off again and again and has been given up. Nothing was kept: start it again, or cut the file into smaller ones.'

const failed = ({ rows, bad, report }: Counts, problem: string): Outcome => ({
  rows,
  bad,
  report,
  problem,
  kept: false,
})

function problemOf(error: unknown, body: Record<string, unknown> | undefined): string {
  if (error instanceof DatabaseError && error.code === '57014')
    return 'It was stopped in the database. Nothing was kept.'
  const message = body?.['message']
  return typeof message === 'string'
    ? message
    : 'Something went wrong on our side. Nothing was kept.'
}
