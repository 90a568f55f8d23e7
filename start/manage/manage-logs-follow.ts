import { setTimeout as pause } from 'node:timers/promises'
import type { LogSource } from '#contract/observability/log-sources'
import { logLimits, logs as api, type LogCursor, type LogPage } from '#contract/observability/logs'
import { RefusedError, type Ask } from './manage-client.ts'
import { piecesOf, type Piece } from './manage-logs-text.ts'
import type { Context } from './manage-command.ts'

export type LogQuestion = { ref: string; sources: LogSource[]; search: string }
type PageAsked = LogQuestion & {
  /** In milliseconds since 1970. */
  from: number
  limit: number
  direction: 'older' | 'newer'
  cursor?: LogCursor | undefined
}

const day = 86_400_000
/** How far back before the newest entry is asked again: writers do not wait for each other. In microseconds. */
const overlap = 3_000_000
/** By how much the clocks of this machine and of the platform may differ, in milliseconds. */
const skew = 300_000

/** One page. Its end lies ahead, because the clock of this machine may be behind the platform's. @throws RefusedError */
export const pageOf = (ask: Ask, { ref, from, cursor, ...question }: PageAsked): Promise<LogPage> =>
  ask(`POST /platform/projects/${ref}/logs/page`, api.page.returns, {
    ...question,
    from: new Date(from).toISOString(),
    to: new Date(Date.now() + day).toISOString(),
    ...(cursor && { cursor }),
  })

type Following = {
  context: Pick<Context, 'ask' | 'notify' | 'interrupted' | 'followMs'>
  question: LogQuestion
  /** When the first entries were asked for, in milliseconds since 1970. */
  asked: number
  /** What was shown of them. */
  shown: readonly Piece[]
  show: (pieces: readonly Piece[]) => void
}

/**
 * Shows what is written from now on, until the signal. A platform that is away or busy is asked again; that is said once.
 * @throws RefusedError when the platform says no
 */
export async function followLogs({ context, question, asked, shown, show }: Following) {
  const { ask, notify, followMs } = context
  const signal = context.interrupted()
  let known = new Map(shown.map(({ id, at }) => [id, at]))
  let newest = shown.findLast((piece) => 'event' in piece)?.at ?? 0
  /** Where the next look begins, in microseconds: what is older has been seen. A question that finds nothing goes on, too. */
  const startAfter = (look: number) => Math.max(newest - overlap, (look - skew) * 1000, 0)
  let start = startAfter(asked)
  let isAway = false

  async function lookAhead(): Promise<void> {
    const look = Date.now()
    let cursor: LogCursor | undefined = { timestamp: start, id: '' }
    while (cursor && !signal.aborted) {
      const page: LogPage = await pageOf(ask, {
        ...question,
        from: Math.floor(start / 1000),
        limit: logLimits.page,
        direction: 'newer',
        cursor,
      })
      const fresh = piecesOf(page).filter(({ id, at }) => !known.has(id) && at >= start)
      show(fresh)
      for (const { id, at } of fresh) known.set(id, at)
      newest = Math.max(newest, page.events.at(-1)?.timestamp ?? 0)
      cursor = page.next
    }
    start = startAfter(look)
    known = new Map([...known].filter(([, at]) => at >= start))
  }

  while (!signal.aborted) {
    try {
      await lookAhead()
      if (isAway) notify('plinth: the platform answers again')
      isAway = false
    } catch (error) {
      if (!(error instanceof RefusedError) || !error.passes) throw error
      if (!isAway) notify(`plinth: ${error.message}; trying again until it answers`)
      isAway = true
    }
    // It ends early when somebody interrupts.
    await pause(followMs, undefined, { signal }).catch(() => undefined)
  }
}
