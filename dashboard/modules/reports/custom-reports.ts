import { infiniteQueryOptions } from '@tanstack/react-query'
import { isReport, snippets, type Report } from '#contract/database/snippets'
import type { Output } from '#contract/endpoint'
import type { ReportBlock } from '#contract/observability/report-content'
import { sqlQuery } from '#contract/database/sql/sql-query'
import { call, CallError, fresh } from '../../api/client.ts'
import { runBlock } from '../assistant/run-block.ts'

type Page = Output<typeof snippets.list>

/** Reports that people have put together and the reader may see, the one that changed last first. */
export const customReportsQuery = (ref: string) =>
  infiniteQueryOptions({
    queryKey: [snippets.list.name, { ref, type: 'report' }],
    queryFn: ({ pageParam, signal }) =>
      call(
        snippets.list,
        {
          ref,
          type: 'report',
          sort_by: 'updated_at',
          sort_order: 'desc',
          ...(pageParam ? { cursor: pageParam } : {}),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ cursor }: Page) => cursor ?? undefined,
    staleTime: fresh.default,
  })

export const customReportQuery = (ref: string, id: string) => ({
  queryKey: [snippets.item.name, { ref, id, type: 'report' }],
  staleTime: fresh.default,
  queryFn: async (): Promise<Report> => {
    const snippet = await call(snippets.item, { ref, id })
    if (!isReport(snippet))
      throw new CallError('There is no such report', { code: 404, reason: 'snippet_not_found' })
    return snippet
  },
})

/** What is saved of a report. `revision` is the one that the change began from; 0 for a new one. */
export type ReportValues = Pick<Report, 'id' | 'name' | 'description' | 'visibility'> & {
  blocks: readonly ReportBlock[]
  revision: number
}

export const valuesOf = ({ content, ...report }: Report): ReportValues => ({
  id: report.id,
  name: report.name,
  description: report.description,
  visibility: report.visibility,
  blocks: content.blocks,
  revision: report.revision,
})

export const putInput = (ref: string, { blocks, ...values }: ReportValues) => ({
  ref,
  ...values,
  type: 'report' as const,
  content: { schema_version: '1.0' as const, content_id: values.id, blocks: [...blocks] },
})

/** The rows of a block's SQL, which only reads; a failure of the SQL is in the result. Asked again for another `now`. */
export const rowsQuery = (ref: string, sql: string, now: number) => ({
  queryKey: [sqlQuery.run.name, { ref, sql, now }],
  staleTime: Infinity,
  retry: false,
  queryFn: ({ signal }: { signal: AbortSignal }) => runBlock(ref, sql, true, signal),
})
