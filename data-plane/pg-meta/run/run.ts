import type { Client } from 'pg'
import { bindNames } from '#contract/sql-parameters'
import { splitStatements } from '#contract/sql-statements'
import type { ResultCell, RunEvent, SqlError, TransactionState } from '#contract/sql-query'
import { ApiError } from '#kit/errors'
import {
  createResultReader,
  isDatabaseError,
  silent,
  type Described,
  type ResultReader,
  type ResultSink,
} from './result-reader.ts'
import { limitSingleSelect } from './row-limit.ts'
import { explained, inVain, withoutPrefix, type Explain } from './run-explain.ts'
import { sqlError } from '../sql-errors.ts'

/** What one run may send. Beyond it rows are still read, so that the statement finishes, and dropped. */
export const runCaps = { rows: 1_000_000, characters: 400_000_000 }

export type Run = {
  client: Client
  query: string
  rowLimit: number | null
  /** Values of the text's `:name`s. */
  parameters?: Readonly<Record<string, string | null>>
  explain?: Explain | undefined
  /** Each statement gets a transaction of its own that only reads. */
  readOnly?: boolean
  /** Of a session that has run something before; one that is new makes its own. */
  reader?: ResultReader
  /** The session goes on after this text, and so does the transaction it is in. */
  goesOn?: boolean
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
  const { client, query, send } = options
  const started = performance.now()
  const statements = boundStatements(options)
  const limited = options.explain
    ? undefined
    : await limitSingleSelect(statements, options.rowLimit)
  const reader = options.reader ?? createResultReader(client)
  const left = { ...(options.caps ?? runCaps) }
  let current = 0
  const onNotice = ({ severity = 'NOTICE', message = '', detail, hint }: Notice) => {
    const more = { ...(detail ? { detail } : {}), ...(hint ? { hint } : {}) }
    send({ type: 'notice', index: current, severity, message, ...more })
  }
  client.on('notice', onNotice)
  for (const [index, statement] of statements.entries()) {
    if (options.isGone()) break
    current = index
    const { start, end, line, text, values } = statement
    const limitedTo = limited ? options.rowLimit : null
    send({ type: 'statement', index, start, end, line, limited_to: limitedTo })
    const began = performance.now()
    const error =
      (options.readOnly ? await pinReadOnly(client, reader) : undefined) ??
      (await runOne(options, reader, { index, text: limited ?? text, values, left }))
    if (error) {
      const ms = performance.now() - began
      send({ type: 'error', index, ms, error: describe(error, query, start) })
      break
    }
  }
  client.off('notice', onNotice)
  if (options.readOnly) await endTransaction(client, reader)
  const ms = performance.now() - started
  send({ type: 'end', ms, ...endOf(client, options.goesOn ?? false) })
}

/** What the driver hands over of a notice. */
type Notice = {
  severity?: string | undefined
  message?: string | undefined
  detail?: string | undefined
  hint?: string | undefined
}

/** The statements of the text with numbers for their names, and the values that belong to the numbers. */
function boundStatements({ query, parameters = {} }: Run) {
  const known = new Set(Object.keys(parameters))
  return splitStatements(query).map((statement) => {
    const { text, names } = bindNames(statement.text, known)
    return { ...statement, text, values: names.map((name) => parameters[name] ?? null) }
  })
}

function endOf(client: Client, goesOn: boolean) {
  const transaction = transactionOf(client)
  return goesOn ? { rolled_back: false, transaction } : { rolled_back: transaction !== 'none' }
}

function transactionOf(client: Client): TransactionState {
  const status = client.getTransactionStatus()
  if (status === 'T') return 'open'
  return status === 'E' ? 'failed' : 'none'
}

/**
 * A fresh transaction that cannot write any more: Postgres refuses READ WRITE once a transaction has asked something.
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

type One = {
  index: number
  text: string
  values: readonly (string | null)[]
  left: { rows: number; characters: number }
}

async function runOne(
  { client, send, drained, typeNames, explain, readOnly = false }: Run,
  reader: ResultReader,
  { index, text, values, left }: One,
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
    whole: explain !== undefined,
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
  const what = explain ? explained(explain, text) : text
  const execute = () =>
    readOnly || values.length > 0 ? reader.runSingle(what, sink, values) : reader.run(what, sink)
  const error = await (explain === 'analyze' ? inVain(client, reader, execute) : execute())
  await named
  return error && withoutPrefix(error, explain)
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
