import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { migrations } from './migrations.ts'
import { inProject } from '../permissions.ts'
import { Named } from './pg-meta-shapes.ts'
import { RowFilter, RowKey, RowSort } from './rows/table-rows.ts'
import { ProjectRef as ref } from '../values.ts'

export const exportFormats = ['csv', 'json', 'sql'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Most characters of one piece of an import. */
export const longestPiece = 4_000_000
/** Bad rows that an import's report names one by one; the others are only counted. */
export const maxReported = 100
/** Bad rows in the list that is downloaded. */
export const maxListed = 100_000

const id = z.coerce.number().int().min(0).max(4_294_967_295)

/** A row of the file that did not become a row of the table. */
export const BadRow = z.object({
  /** Counted from 1, the head not included. */
  row: z.number(),
  column: z.string().nullable(),
  reason: z.string(),
})
export type BadRow = z.infer<typeof BadRow>

/** The file as the browser knows it: enough to tell whether a file chosen later is the same one. */
export const ImportFile = z.object({
  name: z.string().min(1).max(255),
  /** Bytes. */
  size: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  /** Milliseconds since 1970. */
  modified: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
})
export type ImportFile = z.infer<typeof ImportFile>

/**
 * `receiving`: the file arrives and the table knows nothing of it. `loading`: all of it is there and goes into the table
 * in one transaction, which begins again by itself when it is cut off. `done` and `failed` are the ends.
 */
export const importPhases = ['receiving', 'loading', 'done', 'failed'] as const

export const Import = z.object({
  id: z.uuid(),
  schema: z.string(),
  table: z.string(),
  file: ImportFile,
  phase: z.enum(importPhases),
  /** Bytes of the file that have arrived, and of those the ones that were read into the table. */
  received: z.number(),
  read: z.number(),
  /** Rows read from the file, bad ones included. */
  rows: z.number(),
  bad: z.number(),
  /** Whether the rows are in the table: bad rows, or a failure, can mean that nothing was kept. Null before the end. */
  kept: z.boolean().nullable(),
  /** What it failed of. */
  problem: z.string().nullable(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
})
export type Import = z.infer<typeof Import>

/** With the first of the bad rows. */
export const ImportState = Import.extend({
  report: z.array(BadRow),
  /** What sends the file straight to the project: see `importUpload`. For an hour; null once all of it has arrived. */
  upload_token: z.string().nullable(),
})
export type ImportState = z.infer<typeof ImportState>

/**
 * Where the bytes of a file go, below the address of the project's services, with an `upload_token` as bearer: they pass
 * through nothing that would read them. `offset` is the byte of the file with which the body begins; answers how much has
 * arrived by then. 409 with `received` when another offset is expected. What was cut off goes on behind what arrived.
 */
export const importUpload = {
  method: 'PUT',
  path: (id: string, offset: number) => `/import/v1/${id}?offset=${offset}`,
} as const

export type UploadAnswer = { received: number }

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
   * Announces a CSV or TSV file, which then comes piece by piece and waits on the server until all of it is there. Nothing
   * of it is seen before it is `done`, and nothing stays when it is cancelled or fails. What is not finished within a day
   * is removed. Refused with 403 and 400 as the table would refuse the rows, 413 for a file that is too large, 429 while
   * too many are under way, 507 without room for it.
   */
  start: endpoint('table-transfer.start', 'POST /platform/pg-meta/:ref/imports', {
    needs: writes,
    input: z.object({
      ref,
      file: ImportFile,
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
  /** The caller's own, newest first; those that ended stay for a day. */
  imports: endpoint('table-transfer.imports', 'GET /platform/pg-meta/:ref/imports', {
    needs: writes,
    input: z.object({ ref }),
    returns: z.array(Import),
  }),
  state: endpoint('table-transfer.state', 'GET /platform/pg-meta/:ref/imports/:import', {
    needs: writes,
    input: ById,
    returns: ImportState,
  }),
  /** The bad rows as CSV: row, column, reason. */
  badRows: endpoint(
    'table-transfer.bad-rows',
    'GET /platform/pg-meta/:ref/imports/:import/bad-rows',
    {
      needs: writes,
      input: ById,
      returns: z.string(),
      raw: true,
    },
  ),
  /**
   * For who cannot reach the project's own address. `offset` is the byte of the file, in UTF-8, with which `text` begins; 409 when another is
   * expected: see `received`.
   */
  piece: endpoint('table-transfer.piece', 'POST /platform/pg-meta/:ref/imports/:import/pieces', {
    needs: writes,
    input: ById.extend({
      offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
      text: z.string().min(1).max(longestPiece),
    }),
    returns: Import,
    maxBytes: 32 * 1024 * 1024,
  }),
  /** All of it has been sent; what becomes of it is seen by `state`. */
  finish: endpoint('table-transfer.finish', 'POST /platform/pg-meta/:ref/imports/:import/finish', {
    needs: writes,
    input: ById,
    returns: ImportState,
  }),
  /** Takes it from the list; false when there is none, or when its rows were just being kept. */
  cancel: endpoint('table-transfer.cancel', 'DELETE /platform/pg-meta/:ref/imports/:import', {
    needs: writes,
    input: ById,
    returns: z.object({ cancelled: z.boolean() }),
  }),
}
