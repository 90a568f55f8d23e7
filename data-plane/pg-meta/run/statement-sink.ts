import { StringDecoder } from 'node:string_decoder'
import type { ResultCell, ResultField, RunEvent } from '#contract/database/sql/sql-query'
import type { Outbox } from './outbox.ts'
import type { Described, ResultSink } from './result-sink.ts'

/** What one run may send. Beyond it rows are still read, so that the statement finishes, and dropped. */
export const runCaps = { rows: 1_000_000, characters: 400_000_000 }

export type TypeNames = (ids: number[]) => Promise<Map<number, string>>

/** Characters of copied text that go out together. */
const copiedAtOnce = 64 * 1024

type Options = {
  index: number
  outbox: Outbox
  typeNames: TypeNames
  /** Shared by all statements of a run. */
  left: { rows: number; characters: number }
  /** Of the run so far, in milliseconds of performance.now(): when this statement began. */
  beganAt: () => number
  /** False: it is not over yet when Postgres has answered; see `finish`. */
  isOver?: boolean
}

/** Makes events of what comes of one statement. */
export function createStatementSink(options: Options) {
  const { index, outbox, typeNames, left } = options
  let rows: ResultCell[][] = []
  let sent = 0
  let cut = false
  let hasFields = false
  let command: { command: string; rows: number | null } | undefined
  const copied = createCopied((event) => outbox.push({ type: 'copy', index, ...event }))

  const sendRows = () => {
    if (rows.length > 0) outbox.push({ type: 'rows', index, rows })
    rows = []
  }
  const sink: ResultSink = {
    fields(fields) {
      hasFields = true
      const named = nameFields(fields, typeNames)
      outbox.push(
        named.then((described): RunEvent => ({ type: 'fields', index, fields: described })),
      )
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
    flush: sendRows,
    copyOut(bytes, isBinary) {
      left.characters -= bytes.length
      if (left.characters < 0) cut = true
      else copied.take(bytes, isBinary)
    },
    complete(tag) {
      sendRows()
      copied.end()
      command = commandOf(tag, hasFields ? sent : null)
      if (options.isOver ?? true) finish()
    },
  }
  /** Says that the statement is done, once it is. */
  function finish(): void {
    const ms = performance.now() - options.beganAt()
    if (command) outbox.push({ type: 'done', index, ...command, ms, cut })
  }
  return { sink, finish }
}

type Copied = { text: string } | { base64: string }

/** Puts the pieces of a copy together: Postgres sends each row by itself. */
function createCopied(send: (copied: Copied) => void) {
  const decoder = new StringDecoder('utf8')
  let text = ''
  return {
    take(bytes: Buffer, isBinary: boolean) {
      if (isBinary) return send({ base64: bytes.toString('base64') })
      text += decoder.write(bytes)
      if (text.length < copiedAtOnce) return undefined
      send({ text })
      text = ''
    },
    end() {
      text += decoder.end()
      if (text !== '') send({ text })
      text = ''
    },
  }
}

async function nameFields(fields: Described[], typeNames: TypeNames): Promise<ResultField[]> {
  const ids = fields.map((field) => field.dataTypeID)
  // The rows are worth more than the names of their types.
  const names = await typeNames(ids).catch(() => new Map<number, string>())
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
