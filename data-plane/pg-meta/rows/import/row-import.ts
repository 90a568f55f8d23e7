import { Transform, type Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DatabaseError, type Client } from 'pg'
import { from } from 'pg-copy-streams'
import { quoteIdent } from '#contract/ddl/sql-text'
import { maxListed, maxReported, type BadRow } from '#contract/database/table-transfer'
import { ApiError } from '#kit/errors'
import { qualified } from '../../ddl-parts.ts'
import { csvLines } from './row-import-csv.ts'
import type { ImportRecord } from './row-import-spool.ts'

export type Target = Pick<
  ImportRecord['input'],
  'schema' | 'table' | 'delimiter' | 'header' | 'columns' | 'empty_is_null'
>
export type Counts = { read: number; rows: number; bad: number; report: BadRow[] }

/** Rows of the wrong shape after which it is surely not the file that was meant. */
const maxMisshapen = 10_000
export const noCounts = (): Counts => ({ read: 0, rows: 0, bad: 0, report: [] })

export function columnList(columns: Target['columns']): string {
  const taken = columns.flatMap((name) => name ?? [])
  if (taken.length === 0)
    throw new ApiError('invalid_input', 'Select at least one column to import')
  return taken.map(quoteIdent).join(', ')
}

/**
 * A file on its way into a table: cut into rows, and on by COPY in the pace in which Postgres takes it. Values that a
 * column's type refuses are noted row by row, here and in `badRows`, and left out; what breaks a constraint ends it all,
 * with the row named. Expects a transaction, which the caller ends.
 * @throws what Postgres or the reader of the file refuses
 */
export async function copyFile(
  db: Client,
  file: Target,
  source: Readable,
  badRows: Writable,
  counts: Counts,
  signal: AbortSignal,
): Promise<void> {
  /** Rows of the file that were not sent on; COPY counts without them. */
  const misshapen: number[] = []
  const sql = `copy ${qualified(file.schema, file.table)} (${columnList(file.columns)}) from stdin
    with (on_error ignore, log_verbosity verbose)`

  function note(row: number, column: string | null, reason: string): void {
    counts.bad += 1
    if (counts.report.length < maxReported) counts.report.push({ row, column, reason })
    if (counts.bad <= maxListed) badRows.write(csvLine([String(row), column ?? '', reason]))
  }
  /** The row of the file that COPY means by a line. */
  function rowOf(line: number): number {
    let row = line
    for (const skipped of misshapen) if (skipped <= row) row += 1
    return row
  }
  db.on('notice', ({ message }) => {
    const [, line, column, value] = skippedForm.exec(message ?? '') ?? []
    if (line === undefined) return
    note(rowOf(Number(line)), column ?? null, `${column ?? ''} cannot be ${value ?? 'NULL'}`)
  })

  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      counts.read += chunk.length
      done(null, chunk)
    },
  })
  const lines = csvLines({
    delimiter: file.delimiter,
    header: file.header,
    kept: file.columns.map((name) => name !== null),
    emptyIsNull: file.empty_is_null,
    onRow(values) {
      counts.rows += 1
      if (values === file.columns.length) return true
      misshapen.push(counts.rows)
      note(counts.rows, null, `${values} values for ${file.columns.length} columns`)
      if (misshapen.length > maxMisshapen) throw tooManyMisshapen()
      return false
    },
  })
  badRows.write(csvLine(['row', 'column', 'reason']))
  try {
    await pipeline(source, counted, lines, db.query(from(sql)), { signal })
  } catch (error) {
    throw explained(error)
  }

  function explained(error: unknown): unknown {
    if (!(error instanceof DatabaseError)) return error
    const line = /COPY .*?, line (\d+)/.exec(error.where ?? '')?.[1]
    // A server that is stopped in the midst of a row does not mean the row.
    if (line === undefined || /^(?:57|53|58|XX)/.test(error.code ?? '')) return error
    const row = rowOf(Number(line))
    note(row, error.column ?? null, error.message)
    const message = [error.message, error.detail].filter(Boolean).join('. ')
    return new ApiError('invalid_input', `Row ${row}: ${message}`)
  }
}

/** Values as they are; a reader of the list may take them for formulas, a program must not. */
export const csvLine = (values: readonly string[]) =>
  `${values.map((value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(',')}\n`

const skippedForm =
  /^skipping row due to data type incompatibility at line (\d+) for column "?(.*?)"?: (?:(".*")|null input)$/s

const tooManyMisshapen = () =>
  new ApiError('invalid_input', 'Too many rows do not have as many values as the file has columns')
