import { z } from 'zod'

/** Columns of the grid that the blocks of a report lie on; a row is 80 pixels high. */
export const reportColumns = 12
export const maxBlocks = 40

const place = {
  id: z.string().regex(/^[\w-]{1,40}$/),
  /** The first column, from 0, and the first row. */
  x: z
    .number()
    .int()
    .min(0)
    .max(reportColumns - 1),
  y: z.number().int().min(0).max(1000),
  /** Columns and rows that it takes. */
  w: z.number().int().min(2).max(reportColumns),
  h: z.number().int().min(1).max(20),
}

export const ReportBlock = z
  .discriminatedUnion('kind', [
    /** A chart of the ready reports, by its key. One that a later version does not know says so in its place. */
    z.object({ ...place, kind: z.literal('chart'), chart: z.string().min(1).max(100) }),
    /**
     * SQL that runs read-only, as whoever looks at the report. It is a copy of its own: a query that is only named could
     * be changed by somebody who may do less than those who look.
     */
    z.object({
      ...place,
      kind: z.literal('sql'),
      title: z.string().max(200),
      sql: z.string().max(20_000),
    }),
    /** Markdown. */
    z.object({ ...place, kind: z.literal('text'), text: z.string().max(10_000) }),
  ])
  .refine(({ x, w }) => x + w <= reportColumns, 'reaches beyond the last column')
export type ReportBlock = z.infer<typeof ReportBlock>

/** A report that somebody has put together. */
export const ReportContent = z.object({
  schema_version: z.literal('1.0').default('1.0'),
  /** The report's own id again, as in queries. */
  content_id: z.string().max(64),
  blocks: z
    .array(ReportBlock)
    .max(maxBlocks)
    .refine(
      (blocks) => new Set(blocks.map(({ id }) => id)).size === blocks.length,
      'each block has an id of its own',
    ),
})
export type ReportContent = z.infer<typeof ReportContent>
