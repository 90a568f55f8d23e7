import { useQuery, type InfiniteData, type QueryKey } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { logLimits, logs, type LogCursor, type LogPage } from '#contract/observability/logs'
import { call, queryClient } from '../../../api/client.ts'
import { cutTo, followFrom, maxFollowed, newIn, together } from './entries.ts'
import { askedNow, entriesKey } from './queries.ts'
import type { Question } from './question.ts'

const everyMs = 2000
/** An answer may be full; then the next is asked for at once, so many times. */
const rounds = 5
/** Entries that wait to be shown; beyond, nobody asks for more of them. */
export const maxHeld = 5000

/** What came since a question was asked: on the screen, and waiting to be. */
type Since = { of: string; shown: LogPage; held: LogPage }
const nothing: LogPage = { events: [], lost: [] }

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
  const key = useMemo(() => entriesKey(question, now), [question, now])
  const of = JSON.stringify(key)
  const [since, setSince] = useState<Since>()
  const { shown, held } = sinceThen(since, of)
  // Where a look ended that could not read everything.
  const resume = useRef<{ of: string; cursor: LogCursor | undefined }>({ of, cursor: undefined })
  // Who scrolls while an answer is on its way is not moved by it.
  const away = useRef(isAway)
  useEffect(() => {
    away.current = isAway
  }, [isAway])

  const { error } = useQuery({
    queryKey: ['logs.live', of],
    queryFn: async ({ signal }) => {
      const known = [held, shown, ...pagesOf(key)]
      const rest = resume.current.of === of ? resume.current.cursor : undefined
      const { found, next } = await lookAhead(
        askedNow(question, kept),
        rest ?? followFrom(known),
        signal,
      )
      resume.current = { of, cursor: next }
      const isHeld = away.current
      const pages = pagesOf(key)
      setSince((before) => {
        const was = sinceThen(before, of)
        const waiting = together(was.held, newIn(found, [was.held, was.shown, ...pages]))
        return isHeld ? { ...was, held: waiting } : shownWith({ ...was, held: waiting })
      })
      return null
    },
    enabled: enabled && held.events.length < maxHeld,
    refetchInterval: everyMs,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

  useEffect(() => {
    if (shown.events.length > maxFollowed) void forgetOldest()
    // The oldest go, and can be loaded again. What is being loaded of them would come behind a gap.
    async function forgetOldest() {
      await queryClient.cancelQueries({ queryKey: key })
      const cut = cutTo(maxFollowed, [shown, ...pagesOf(key)])
      const data: InfiniteData<LogPage> = { pages: [cut], pageParams: [undefined] }
      queryClient.setQueryData(key, data)
      setSince((before) => before && { ...before, shown: newIn(before.shown, [cut]) })
    }
  }, [shown, key])

  return {
    error: enabled ? error : null,
    /** Newer than the pages of the question. */
    shown,
    /** How many entries wait to be shown. */
    held: held.events.length,
    showHeld: () =>
      setSince((before) => (before && before.held !== nothing ? shownWith(before) : before)),
  }
}

const sinceThen = (since: Since | undefined, of: string): Since =>
  since?.of === of ? since : { of, shown: nothing, held: nothing }

const shownWith = ({ of, shown, held }: Since): Since => ({
  of,
  shown: held.events.length + held.lost.length > 0 ? together(shown, held) : shown,
  held: nothing,
})

const pagesOf = (key: QueryKey): readonly LogPage[] =>
  queryClient.getQueryData<InfiniteData<LogPage>>(key)?.pages ?? []

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
