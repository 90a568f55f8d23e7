import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { LogSource } from '#contract/observability/log-sources'
import { logs, type LogCursor, type LogPage } from '#contract/observability/logs'
import { call } from '../../../api/client.ts'
import { asked } from '../../../modules/logs/asked.ts'
import type { Question } from './question.ts'

const firstPage = 100
const furtherPages = 500

/** Names the entries of a question; `now` is when it was asked. */
export const entriesKey = (question: Question, now: number) =>
  [logs.page.name, question, now] as const

/** A question as it is asked some time after it was made: without what is not kept any more. */
export const askedNow = (question: Question, kept: number): Question => {
  const since = Date.now() - kept
  return Date.parse(question.from) < since && Date.parse(question.to) > since
    ? { ...question, from: new Date(since).toISOString() }
    : question
}

/** The entries of a question, the newest first, in pages that go back in time. `kept`: for how long, in milliseconds. */
export const entriesQuery = (question: Question, now: number, kept: number) =>
  infiniteQueryOptions({
    ...asked,
    queryKey: entriesKey(question, now),
    queryFn: ({ pageParam: cursor, signal }): Promise<LogPage> =>
      call(
        logs.page,
        {
          ...askedNow(question, kept),
          limit: cursor ? furtherPages : firstPage,
          direction: 'older',
          ...(cursor && { cursor }),
        },
        { signal },
      ),
    initialPageParam: undefined as LogCursor | undefined,
    getNextPageParam: (page: LogPage) => page.next,
    placeholderData: keepPreviousData,
  })

/** How many there were over time, by level, with the time that this is about. */
export const histogramQuery = (question: Question, now: number, bars: number) =>
  queryOptions({
    ...asked,
    queryKey: [logs.histogram.name, question, now, bars],
    queryFn: async ({ signal }) => ({
      ...(await call(logs.histogram, { ...question, bars }, { signal })),
      range: { from: Date.parse(question.from), to: Date.parse(question.to) },
    }),
    placeholderData: keepPreviousData,
  })

/** The most frequent values of a field, whatever is chosen of it. */
export const facetsQuery = (question: Question, now: number, field: string) => {
  const filters = question.filters.filter((filter) => filter.field !== field)
  return queryOptions({
    ...asked,
    queryKey: [logs.facets.name, { ...question, filters }, now, field],
    queryFn: ({ signal }) =>
      call(logs.facets, { ...question, filters, fields: [field] }, { signal }),
  })
}

/** Of all fields at once, each whatever is chosen of it itself. */
export const allFacetsQuery = (question: Question, now: number, fields: readonly string[]) =>
  queryOptions({
    ...asked,
    queryKey: [logs.facets.name, 'all', question, now, fields],
    queryFn: ({ signal }) =>
      call(logs.facets, { ...question, fields: [...fields], without_own: true }, { signal }),
    placeholderData: keepPreviousData,
  })

export const traceQuery = (ref: string, requestId: string, timestamp: number) =>
  queryOptions({
    ...asked,
    // What other services write of a request comes a moment after the first entry of it.
    staleTime: 5000,
    queryKey: [logs.trace.name, ref, requestId],
    queryFn: ({ signal }) =>
      call(logs.trace, { ref, request_id: requestId, timestamp }, { signal }),
  })

type EntryAt = { ref: string; sources: readonly LogSource[]; timestamp: number; id: string }

/** One entry by its time and id, for who comes by a link to it; null: it is not there. */
export const entryQuery = ({ ref, sources, timestamp, id }: EntryAt) =>
  queryOptions({
    ...asked,
    queryKey: [logs.page.name, 'one', ref, sources, timestamp, id],
    queryFn: async ({ signal }) => {
      const ms = Math.floor(timestamp / 1000)
      const { events } = await call(
        logs.page,
        {
          ref,
          sources: [...sources],
          from: new Date(ms).toISOString(),
          to: new Date(ms + 1).toISOString(),
          limit: 1000,
        },
        { signal },
      )
      return events.find((event) => event.id === id) ?? null
    },
  })
