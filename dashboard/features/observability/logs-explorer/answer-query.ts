import { queryOptions } from '@tanstack/react-query'
import { logs } from '#contract/observability/logs'
import { call, CallError } from '../../../api/client.ts'
import { asked } from '../../../modules/logs/asked.ts'
import { choiceOf, type Range } from '../../../modules/logs/range.ts'
import type { LogDialect } from './kept-queries.ts'

export type LogQuestion = {
  ref: string
  sql: string
  dialect: LogDialect
  range: Range
  /** When it was asked: the same again is asked anew. */
  now: number
}

/** What a query answers. `kept`: for how long entries are kept, in milliseconds. */
export const answerQuery = (question: LogQuestion | undefined, kept: number) =>
  queryOptions({
    ...asked,
    queryKey: [logs.query.name, question],
    queryFn: ({ signal }) => {
      if (!question) throw new Error('No query was asked')
      const { ref, sql, dialect, range } = question
      // A moment has passed since the question was made: what is not kept any more cannot be asked for.
      const since = Date.now() - kept
      const from = range.to > since ? Math.max(range.from, since) : range.from
      return call(
        logs.query,
        { ref, sql, dialect, ...choiceOf({ from, to: range.to }) },
        { signal },
      )
    },
    // A query that is wrong or too much is so the next moment, too.
    retry: (failures, error) =>
      !(error instanceof CallError && error.reason?.startsWith('logs_')) &&
      asked.retry(failures, error),
  })
