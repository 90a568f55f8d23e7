import type { Statement } from '#contract/observability/query-performance'
import type { Log } from '#kit/log'
import type { Figures } from '../../platform-database/tables-database.ts'
import type { TrendStore } from './store.ts'

type Deps = {
  store: TrendStore
  /** The busiest statements of a project now; undefined where its server does not count any. */
  readStatements: (ref: string) => Promise<Statement[] | undefined>
  log: Log
}

/** One project is looked at every quarter of an hour, and no more than this many per round. */
const everyMs = 15 * 60_000
const perRound = 20
const width = 4

export function figuresOf(statements: readonly Statement[]): Figures {
  const figures: Figures = {}
  for (const { queryid, calls, total_time, rows } of statements) {
    if (queryid === null) continue
    const known = figures[queryid] ?? [0, 0, 0]
    figures[queryid] = [known[0] + calls, known[1] + total_time, known[2] + rows]
  }
  return figures
}

/** Looks at the figures of running projects in turn and keeps what has changed. One that does not answer is passed by. */
export function createCollector({ store, readStatements, log }: Deps) {
  /** Tried in this process: one that fails must not be tried first again and again. */
  const tried = new Map<string, number>()

  async function look({ id, ref }: { id: string; ref: string }): Promise<void> {
    tried.set(id, Date.now())
    const statements = await readStatements(ref)
    if (!statements) return
    const figures = figuresOf(statements)
    const last = await store.last(id)
    const moved = Object.entries(figures).some(([key, [calls]]) => last?.[key]?.[0] !== calls)
    if (moved) await store.add(id, figures)
    else if (last) await store.touch(id)
  }

  return async (): Promise<void> => {
    const before = Date.now() - everyMs
    for (const [id, at] of tried) if (at < before) tried.delete(id)
    const waiting = await store.due(new Date(before), perRound + tried.size)
    const due = waiting.filter(({ id }) => !tried.has(id)).slice(0, perRound)
    for (let start = 0; start < due.length; start += width) {
      const part = due.slice(start, start + width)
      const results = await Promise.allSettled(part.map(look))
      for (const [at, result] of results.entries())
        if (result.status === 'rejected')
          log.info({ err: result.reason, ref: part[at]?.ref }, 'statements could not be looked at')
    }
    await store.prune()
  }
}
