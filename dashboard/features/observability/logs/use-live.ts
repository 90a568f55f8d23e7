import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { logLimits, logs, type LogCursor, type LogPage } from '#contract/observability/logs'
import { call, queryClient } from '../../../api/client.ts'
import { followFrom, newIn, together, withNewer, type Pages } from './entries.ts'
import { askedNow, entriesKey } from './queries.ts'
import type { Question } from './question.ts'

const everyMs = 2000
/** An answer may be full; then the next is asked for at once, so many times. */
const rounds = 5
/** Entries that wait to be shown; beyond, nobody asks for more of them. */
export const maxHeld = 5000

type Held = { of: string; page: LogPage }
type Options = {
  question: Question
  /** When the question was asked; with it, names the entries that are shown. */
  now: number
  /** For how long entries are kept, in milliseconds. */
  kept: number
  enabled: boolean
  /** The reader is further down in the list: what comes waits. */
  isAway: boolean
}

/**
 * Follows a log: every two seconds what is newer joins the entries on the screen, or is held while the reader looks at older
 * ones. While the window is hidden nobody asks.
 */
export function useLive({ question, now, kept, enabled, isAway }: Options) {
  const key = entriesKey(question, now)
  const of = JSON.stringify(key)
  const [held, setHeld] = useState<Held>()
  const waiting = held?.of === of ? held.page : undefined
  const isFull = (waiting?.events.length ?? 0) >= maxHeld
  // Where a look ended that could not read everything.
  const resume = useRef<{ of: string; cursor: LogCursor | undefined }>({ of, cursor: undefined })

  const show = (page: LogPage) =>
    queryClient.setQueryData<Pages>(key, (data) => data && withNewer(data, page))

  const { error } = useQuery({
    queryKey: ['logs.live', of],
    queryFn: async ({ signal }) => {
      const pages = queryClient.getQueryData<Pages>(key)?.pages ?? []
      const shown = waiting ? [waiting, ...pages] : pages
      const rest = resume.current.of === of ? resume.current.cursor : undefined
      const { found, next } = await lookAhead(
        askedNow(question, kept),
        rest ?? followFrom(shown),
        signal,
      )
      resume.current = { of, cursor: next }
      const fresh = newIn(found, shown)
      if (isAway) setHeld({ of, page: together(waiting, fresh) })
      else show(fresh)
      return null
    },
    enabled: enabled && !isFull,
    refetchInterval: everyMs,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

  return {
    error: enabled ? error : null,
    /** How many entries wait to be shown. */
    held: waiting?.events.length ?? 0,
    showHeld: () => {
      if (waiting) show(waiting)
      setHeld(undefined)
    },
  }
}

/** Whatever is newer than `from`, and where to go on when there is more of it than was read. */
async function lookAhead(question: Question, from: LogCursor | undefined, signal: AbortSignal) {
  let found: LogPage = { events: [], lost: [] }
  let cursor = from
  for (let round = 0; round < rounds; round += 1) {
    const page = await call(
      logs.page,
      {
        ...question,
        to: new Date(Date.now() + 60_000).toISOString(),
        limit: logLimits.page,
        direction: 'newer',
        ...(cursor && { cursor }),
      },
      { signal },
    )
    found = together(found, page)
    if (!page.next) return { found, next: undefined }
    cursor = page.next
  }
  return { found, next: cursor }
}
