import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { As } from '../../data-api/impersonation.ts'
import { inProject } from '../../permissions.ts'
import { Identifier } from '../../projects/replicas.ts'
import { sqlText } from '../pg-meta-shapes.ts'
import { ProjectRef as ref } from '../../values.ts'

/** Longest text one call may carry, in characters. */
export const longestQuery = 900_000
/** Row limits that the SQL editor offers; null is "No limit" (facts §10). */
export const rowLimits = [null, 100, 500, 1000] as const
export const defaultRowLimit = 100
/** Milliseconds one statement may take unless the caller says otherwise. */
export const defaultTimeoutMs = 60_000
export const longestTimeoutSecs = 3600
/** Nought: as long as any. */
const timeoutMs = z.number().int().min(100).max(3_600_000).default(defaultTimeoutMs)
/** Characters of one piece of a file at most. */
export const longestFilePiece = 1_000_000
const seconds = z.coerce.number().int().min(0).max(longestTimeoutSecs).optional()

export const sqlQuery = {
  /** The rows of the last statement as JSON objects: for programs. People use `run`. */
  query: endpoint('sql.query', 'POST /platform/pg-meta/:ref/query', {
    needs: inProject('tenant:Sql:Query', '*'),
    raw: true,
    input: z.object({
      ref,
      query: sqlText(longestQuery),
      parameters: z.array(z.unknown()).max(65_535).default([]),
      statementTimeoutSecs: seconds,
      queryTimeoutSecs: seconds,
    }),
    returns: z.array(z.record(z.string(), z.unknown())),
  }),
  /**
   * Runs a text as psql would, statement by statement until one fails, and answers with one `RunEvent` a line while
   * it goes. Ending the request cancels what is running. The text may have commands of psql and the data of COPY.
   */
  run: endpoint('sql.run', 'POST /platform/pg-meta/:ref/query/run', {
    needs: inProject('tenant:Sql:Query', '*'),
    raw: true,
    input: z.object({
      ref,
      /** Chosen by the caller, so that it can cancel before the answer begins. */
      id: z.uuid(),
      query: sqlText(longestQuery),
      /** Added to a text that is one SELECT without a limit of its own. */
      row_limit: z.number().int().min(1).max(1_000_000).nullable().default(defaultRowLimit),
      timeout_ms: timeoutMs,
      /** Nothing the text says can change data: every statement runs alone in a transaction that only reads. */
      read_only: z.boolean().default(false),
      /** As who the whole text runs, unless it says otherwise itself; 403 for members who may only read. */
      as: As.optional(),
      /** Values of the text's `:name`s, as Postgres would read them from a string; a name that is not here stays as it is. */
      parameters: z
        .record(z.string().max(200), z.string().max(1_000_000).nullable())
        .refine((all) => Object.keys(all).length <= 200, 'at most 200 parameters')
        .default({}),
      /** Shows how Postgres would run the one statement of the text, or how it did, in a transaction that is rolled back. */
      explain: z.enum(['plan', 'analyze']).optional(),
      /**
       * The transaction to run in, with an id of the caller's own. It stays open when the answer has ended, until
       * `sql.endTransaction`, the text's own COMMIT, or minutes without a statement. Cancel it by this id.
       */
      transaction: z.object({ id: z.uuid(), begin: z.boolean() }).optional(),
      /** All of the text in one transaction, which is committed at its end unless something failed. */
      one_transaction: z.boolean().default(false),
      /** Of a read replica, which it then runs on. */
      replica: Identifier.optional(),
    }),
    returns: z.unknown(),
  }),
  /**
   * Runs a file that is too long for an editor, in the same way and with the same answer, while it comes in pieces. Of a long
   * one the first results are told, and how far it is. Cancel it by its id.
   */
  runFile: endpoint('sql.runFile', 'POST /platform/pg-meta/:ref/query/file', {
    needs: inProject('tenant:Sql:Query', '*'),
    raw: true,
    input: z.object({
      ref,
      id: z.uuid(),
      timeout_ms: timeoutMs,
      /** As for a text: nothing that the file says can change data. */
      read_only: z.boolean().default(false),
      as: As.optional(),
      one_transaction: z.boolean().default(false),
      /** Of a read replica, which it then runs on. */
      replica: Identifier.optional(),
    }),
    returns: z.unknown(),
  }),
  /** `offset`: where the piece begins in the file, in UTF-16 units. It waits while much of the file is still unread. */
  filePiece: endpoint('sql.filePiece', 'POST /platform/pg-meta/:ref/query/file/:run/pieces', {
    needs: inProject('tenant:Sql:Query', '*'),
    input: z.object({
      ref,
      run: z.uuid(),
      offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
      text: sqlText(longestFilePiece),
      last: z.boolean(),
      /** `read_only` as the run had it; false for a run `as` a role. */
      read_only: z.boolean().default(false),
    }),
    /** `accepted`: false means to send it again. `ended`: nobody reads it any more, or nobody has begun to. */
    returns: z.object({ accepted: z.boolean(), ended: z.boolean() }),
    perMinute: 6000,
    maxBytes: 8 * 1024 * 1024,
  }),
  cancel: endpoint('sql.cancel', 'POST /platform/pg-meta/:ref/query/cancel', {
    needs: inProject('tenant:Sql:Query', '*'),
    /** `read_only` as the run had it; false for a run `as` a role. `replica` as the run had it. */
    input: z.object({
      ref,
      id: z.uuid(),
      read_only: z.boolean().default(false),
      replica: Identifier.optional(),
    }),
    /** False: it had already ended. */
    returns: z.object({ cancelled: z.boolean() }),
  }),
}

/** What Postgres says about a failed statement. Every field but these four may be missing. */
export type SqlError = {
  message: string
  /** SQLSTATE */
  code: string
  severity: string
  /** The message with its code, the failing line and a caret below it. */
  formattedError: string
  /** 1-based, in characters (code points) of the text that was sent. */
  position?: number
  /** 1-based, of the text that was sent. */
  line?: number
  /** 1-based, in characters of that line. */
  column?: number
  detail?: string
  hint?: string
  where?: string
  internalQuery?: string
  schema?: string
  table?: string
  dataType?: string
  constraint?: string
}

/** A column of a result. `table_id` and `column` (its position) are 0 for what is computed. */
export type ResultField = {
  name: string
  type: string
  type_id: number
  table_id: number
  column: number
}

/** A cell as Postgres prints it; an object holds the head of one that is longer than `cellHeadLength`. */
export type ResultCell = string | null | { head: string; bytes: number }

/**
 * One line of a run's answer. `index` counts statements from 0; its `start` and `end` are UTF-16 offsets into the
 * text that was sent. Times are milliseconds on the server.
 */
export type RunEvent =
  | {
      type: 'statement'
      index: number
      start: number
      end: number
      line: number
      limited_to: number | null
      /** What its result is called: of a command of psql. */
      title?: string
      /** Rows are wanted on their side, a line for each column (`\\x`, `\\gx`). */
      expanded?: true
    }
  | { type: 'fields'; index: number; fields: ResultField[] }
  | { type: 'rows'; index: number; rows: ResultCell[][] }
  /** What COPY TO STDOUT prints, in its order; bytes when it is binary. */
  | { type: 'copy'; index: number; text: string }
  | { type: 'copy'; index: number; base64: string }
  | {
      type: 'notice'
      index: number
      severity: string
      message: string
      detail?: string
      hint?: string
    }
  /** `rows` is what was sent (or changed); `cut` says that the result went on beyond what we send. */
  /** Of a file: how many statements are done. Not all of them are told. */
  | { type: 'progress'; statements: number }
  | { type: 'done'; index: number; command: string; rows: number | null; ms: number; cut: boolean }
  | { type: 'error'; index: number; ms: number; error: SqlError }
  /** `rolled_back`: what the text did in a transaction is not kept: it left it open, or one that was to hold all of it failed. */
  | { type: 'end'; ms: number; rolled_back: boolean; transaction?: TransactionState }

/** Of the transaction that a run was asked to run in: `failed` can only be rolled back any more. */
export type TransactionState = 'none' | 'open' | 'failed'
