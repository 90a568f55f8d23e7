import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { migrations } from './migrations.ts'
import { inProject } from './permissions.ts'
import { Named } from './pg-meta-shapes.ts'
import { RowFilter, RowKey, RowSort } from './table-rows.ts'
import { ProjectRef as ref } from './values.ts'

export const exportFormats = ['csv', 'json', 'sql'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Most characters of one piece of an import. */
export const longestPiece = 2_000_000
/** Bad rows that an import's report names one by one; the others are only counted. */
export const mostReported = 100

const id = z.coerce.number().int().min(0).max(4_294_967_295)

/** A row of the file that did not become a row of the table. */
export const BadRow = z.object({
  /** Counted from 1, the head not included. */
  row: z.number(),
  column: z.string().nullable(),
  reason: z.string(),
})
export type BadRow = z.infer<typeof BadRow>

export const ImportState = z.object({
  id: z.uuid(),
  /** The piece that is expected next. */
  next: z.number(),
  /** Rows read from the file, bad ones included. */
  rows: z.number(),
  bad: z.number(),
  /** The first of the bad rows. */
  report: z.array(BadRow),
})
export type ImportState = z.infer<typeof ImportState>

const ById = z.object({ ref, import: z.uuid() })
const writes = inProject('tenant:Sql:Write:Insert', '*')

/** Rows in and out of a table as files, streamed through COPY so that neither side ever holds a whole table. */
export const tableTransfer = {
  /** The chosen rows as a file. `keys` are single rows; without them it is what the filters let through. */
  export: endpoint('table-transfer.export', 'POST /platform/pg-meta/:ref/entities/:id/export', {
    needs: inProject('tenant:Sql:Query', '*'),
    input: z.object({
      ref,
      id,
      format: z.enum(exportFormats),
      filters: z.array(RowFilter).max(50).default([]),
      sort: z.array(RowSort).max(32).default([]),
      /** All columns unless told. */
      columns: z.array(Named).min(1).max(1600).optional(),
      keys: z.array(RowKey).min(1).max(1000).optional(),
    }),
    returns: z.string(),
    raw: true,
  }),
  /**
   * Opens a transaction that takes a CSV or TSV file piece by piece. Nothing of it is seen before `finish`, and
   * nothing stays when it is cancelled, fails, or hears nothing for two minutes.
   */
  start: endpoint('table-transfer.start', 'POST /platform/pg-meta/:ref/imports', {
    needs: writes,
    input: z.object({
      ref,
      schema: Named,
      table: Named,
      delimiter: z.enum([',', '\t', ';', '|']).default(','),
      /** The first row names the columns and holds no values. */
      header: z.boolean().default(true),
      /** For each column of the file the column that takes it; null leaves it out. */
      columns: z.array(Named.nullable()).min(1).max(1600),
      /** What is between two delimiters and not quoted is NULL when it is empty; else it is empty text. */
      empty_is_null: z.boolean().default(true),
      /** `stop`: one bad row and nothing is kept. `skip`: the good rows are kept. */
      on_bad_row: z.enum(['stop', 'skip']).default('stop'),
      /** Makes the table in the same transaction, and records it as a migration. */
      create: migrations.change.input.omit({ ref: true, transaction: true }).optional(),
    }),
    returns: ImportState,
  }),
  /** `index` counts from 0; a piece that was taken already is not taken twice. */
  piece: endpoint('table-transfer.piece', 'POST /platform/pg-meta/:ref/imports/:import/pieces', {
    needs: writes,
    input: ById.extend({
      index: z.number().int().min(0).max(10_000_000),
      text: z.string().max(longestPiece),
    }),
    returns: ImportState,
    maxBytes: 16 * 1024 * 1024,
  }),
  /** `kept` is false when bad rows made it keep nothing. */
  finish: endpoint('table-transfer.finish', 'POST /platform/pg-meta/:ref/imports/:import/finish', {
    needs: writes,
    input: ById,
    returns: ImportState.extend({ kept: z.boolean() }),
  }),
  cancel: endpoint('table-transfer.cancel', 'DELETE /platform/pg-meta/:ref/imports/:import', {
    needs: writes,
    input: ById,
    returns: z.object({ cancelled: z.boolean() }),
  }),
}
