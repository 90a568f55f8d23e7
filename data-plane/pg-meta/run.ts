import type { Client } from 'pg'
import { splitStatements } from '#contract/sql-statements'
import type { ResultCell, RunEvent, SqlError } from '#contract/sql-query'
import { ApiError } from '#kit/errors'
import {
  createResultReader,
  isDatabaseError,
  type Described,
  type ResultReader,
  type ResultSink,
} from './result-reader.ts'
import { limitSingleSelect } from './row-limit.ts'
import { sqlError } from './sql-errors.ts'

/** What one run may send. Beyond it rows are still read, so that the statement finishes, and dropped. */
export const runCaps = { rows: 500_000, characters: 200_000_000 }

export type Run = {
  client: Client
  query: string
  rowLimit: number | null
  /** Each statement gets a transaction of its own that only reads. */
  readOnly?: boolean
  /** False: the reader is behind; wait for `drained` before sending more. */
  send(event: RunEvent): boolean
  drained(): Promise<void>
  typeNames(ids: number[]): Promise<Map<number, string>>
  /** Nobody reads the answer any more: no further statement begins. */
  isGone(): boolean
  caps?: typeof runCaps
}

/** Runs the statements of a text one after the other until one fails, telling what happens as it happens. */
export async function run(options: Run): Promise<void> {
  const { client, query } = options
  const started = performance.now()
  const statements = splitStatements(query)
  const limited = await limitSingleSelect(statements, options.rowLimit)
  const reader = createResultReader(client)
  const left = { ...(options.caps ?? runCaps) }
  let current = 0
  client.on('notice', ({ severity = 'NOTICE', message = '', detail, hint }) => {
    const more = { ...(detail ? { detail } : {}), ...(hint ? { hint } : {}) }
    options.send({ type: 'notice', index: current, severity, message, ...more })
  })
  for (const [index, { text, start, end, line }] of statements.entries()) {
    if (options.isGone()) break
    current = index
    const limitedTo = limited ? options.rowLimit : null
    options.send({ type: 'statement', index, start, end, line, limited_to: limitedTo })
    const began = performance.now()
    const error =
      (options.readOnly ? await pinReadOnly(client, reader) : undefined) ??
      (await runOne(options, reader, index, limited ?? text, left))
    if (error) {
      const ms = performance.now() - began
      options.send({ type: 'error', index, ms, error: describe(error, query, start) })
      break
    }
  }
  if (options.readOnly) await endTransaction(client, reader)
  const open = client.getTransactionStatus()
  const ms = performance.now() - started
  options.send({ type: 'end', ms, rolled_back: open === 'T' || open === 'E' })
}

/**
 * A fresh transaction that can not write any more: Postgres refuses READ WRITE once a transaction has asked something.
 * Ending it gains nothing, because the next statement begins with this again, and one message to Postgres holds one
 * statement only (see result-reader.ts).
 */
async function pinReadOnly(client: Client, reader: ResultReader): Promise<Error | undefined> {
  return (
    (await endTransaction(client, reader)) ?? (await reader.run('begin read only; select', silent))
  )
}

const endTransaction = async (client: Client, reader: ResultReader) =>
  client.getTransactionStatus() === 'I' ? undefined : reader.run('rollback', silent)

const silent = {
  fields: () => undefined,
  row: () => undefined,
  flush: () => undefined,
  complete: () => undefined,
}

async function runOne(
  { send, drained, typeNames, readOnly = false }: Run,
  reader: ResultReader,
  index: number,
  text: string,
  left: { rows: number; characters: number },
): Promise<Error | undefined> {
  const began = performance.now()
  let rows: ResultCell[][] = []
  let sent = 0
  let cut = false
  let hasFields = false
  let waits = 0
  const waitFor = (what: Promise<unknown>) => {
    waits += 1
    reader.pause()
    void what.finally(() => {
      waits -= 1
      if (waits === 0) reader.resume()
    })
  }
  let named: Promise<void> | undefined
  const sendRows = () => {
    if (rows.length === 0) return
    const batch = rows
    rows = []
    if (!send({ type: 'rows', index, rows: batch })) waitFor(drained())
  }
  const sink: ResultSink = {
    fields(fields) {
      hasFields = true
      named = nameFields(fields, typeNames).then((described) => {
        named = undefined
        send({ type: 'fields', index, fields: described })
        // What came with the description would otherwise wait for the next bytes, which may take long.
        sendRows()
      })
      waitFor(named)
    },
    row(cells) {
      left.rows -= 1
      for (const cell of cells) left.characters -= typeof cell === 'string' ? cell.length : 0
      if (left.rows < 0 || left.characters < 0) cut = true
      else {
        rows.push(cells)
        sent += 1
      }
    },
    flush: () => {
      if (!named) sendRows()
    },
    complete(tag) {
      const finish = () => {
        sendRows()
        const ms = performance.now() - began
        send({ type: 'done', index, ...commandOf(tag, hasFields ? sent : null), ms, cut })
      }
      if (named) named = named.then(finish)
      else finish()
    },
  }
  const error = await (readOnly ? reader.runSingle(text, sink) : reader.run(text, sink))
  await named
  return error
}

async function nameFields(fields: Described[], typeNames: Run['typeNames']) {
  const names = await typeNames(fields.map((field) => field.dataTypeID))
  return fields.map(({ name, dataTypeID, tableID, columnID }) => ({
    name,
    type: names.get(dataTypeID) ?? 'unknown',
    type_id: dataTypeID,
    table_id: tableID,
    column: columnID,
  }))
}

/** `INSERT 0 5` is INSERT and 5 rows; `CREATE TABLE` has none. */
function commandOf(tag: string, sent: number | null): { command: string; rows: number | null } {
  const numbers = /^(.*?)(?: \d+)? (\d+)$/.exec(tag)
  const command = numbers?.[1] ?? tag
  return { command, rows: numbers ? Number(numbers[2]) : sent }
}

function describe(error: Error, query: string, start: number): SqlError {
  if (isDatabaseError(error)) return sqlError(error, query, start)
  const { message } = new ApiError('project_unreachable')
  return {
    message,
    code: '08006',
    severity: 'FATAL',
    formattedError: `FATAL:  08006: ${message}\n`,
  }
}
