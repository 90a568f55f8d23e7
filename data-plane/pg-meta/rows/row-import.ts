import { once } from 'node:events'
import { Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import { DatabaseError, type Client } from 'pg'
import { from } from 'pg-copy-streams'
import { quoteIdent } from '#contract/ddl/sql-text'
import { mostReported, type BadRow, type ImportState } from '#contract/table-transfer'
import { ApiError } from '#kit/errors'
import { qualified } from '../ddl-parts.ts'
import { copyLine } from './copy-text.ts'
import { DetailedError } from '../failures.ts'

export type ImportFile = {
  schema: string
  table: string
  delimiter: string
  header: boolean
  columns: (string | null)[]
  empty_is_null: boolean
}

/** Characters of the longest row; a quote that is never closed would gather the whole file into one. */
const longestRow = 50_000_000
/** Rows of the wrong shape after which it is surely not the file that was meant. */
const mostMisshapen = 10_000

/**
 * One file on its way into a table: text goes in piece by piece, is cut into rows, and goes on by COPY in the pace in
 * which Postgres takes it. Values that a column's type refuses are reported row by row and left out; what breaks a
 * constraint ends it all, with the row named. Expects a transaction, which the caller ends.
 */
export function createImport(db: Client, file: ImportFile) {
  const report: BadRow[] = []
  /** Rows of the file that were not sent on; COPY counts without them. */
  const misshapen: number[] = []
  let rows = 0
  let bad = 0
  let failure: unknown

  const taken = file.columns.flatMap((name, at) => (name === null ? [] : [{ name, at }]))
  if (taken.length === 0) throw new ApiError('invalid_input', 'No column of the file is imported')
  const list = taken.map(({ name }) => quoteIdent(name)).join(', ')
  const sql = `copy ${qualified(file.schema, file.table)} (${list}) from stdin
    with (on_error ignore, log_verbosity verbose)`

  function note(row: number, column: string | null, reason: string): void {
    bad += 1
    if (report.length < mostReported) report.push({ row, column, reason })
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
    note(rowOf(Number(line)), column ?? null, `${column ?? ''} can not be ${value ?? 'NULL'}`)
  })

  const parser = parse({
    delimiter: file.delimiter,
    bom: true,
    from: file.header ? 2 : 1,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: longestRow,
    // In a file of one column an empty line is a value.
    skip_empty_lines: file.columns.length > 1,
    cast: (value, { quoting }) => (value === '' && !quoting && file.empty_is_null ? null : value),
  })
  const lines = new Transform({
    writableObjectMode: true,
    transform(record: (string | null)[], _encoding, done) {
      rows += 1
      if (record.length !== file.columns.length) {
        misshapen.push(rows)
        note(rows, null, `${record.length} values for ${file.columns.length} columns`)
        return done(misshapen.length > mostMisshapen ? tooManyMisshapen() : null)
      }
      return done(null, copyLine(taken.map(({ at }) => record[at] ?? null)))
    },
  })
  const copy: Writable = db.query(from(sql))
  const flowing = pipeline(parser, lines, copy)
  flowing.catch((error: unknown) => (failure = explained(error)))

  function explained(error: unknown): unknown {
    if (error instanceof CsvError)
      return new ApiError('invalid_input', `The file can not be read as CSV: ${error.message}`)
    if (!(error instanceof DatabaseError)) return error
    const line = /COPY .*?, line (\d+)/.exec(error.where ?? '')?.[1]
    if (line === undefined) return error
    const row = rowOf(Number(line))
    note(row, error.column ?? null, error.message)
    const said = [error.message, error.detail].filter(Boolean).join('. ')
    return new DetailedError('invalid_input', `Row ${row}: ${said}`, { rows, bad, report })
  }

  return {
    state: (): Omit<ImportState, 'id' | 'next'> => ({ rows, bad, report }),
    async write(text: string): Promise<void> {
      if (failure) throw failure
      if (parser.write(text)) return
      await Promise.race([once(parser, 'drain'), flowing])
      if (failure) throw failure
    },
    /** All of it has arrived. @throws what Postgres or the reader of the file refuses */
    async end(): Promise<void> {
      parser.end()
      await flowing.catch(() => undefined)
      if (failure) throw failure
    },
    stop(): void {
      parser.destroy()
    },
  }
}

const skippedForm =
  /^skipping row due to data type incompatibility at line (\d+) for column "?(.*?)"?: (?:(".*")|null input)$/s

const tooManyMisshapen = () =>
  new ApiError(
    'invalid_input',
    'Too many rows have another number of values than the file has columns',
  )
