import { DatabaseError, type Client } from 'pg'
import type { RunEvent, SqlError } from '#contract/database/sql/sql-query'
import type { ScriptItem } from '#contract/database/sql/sql-script'
import type { Outbox } from './outbox.ts'
import type { ResultReader } from './result-reader.ts'
import { silent, type ResultSink } from './result-sink.ts'
import type { Explain } from './run-explain.ts'
import type { runCaps, TypeNames } from './statement-sink.ts'

/** An item of the script with the values of its `$1`, `$2` ..., and its data if it has some. */
export type RunItem = ScriptItem & {
  values: readonly (string | null)[]
  copyIn?: ResultSink['copyIn']
  /** It cannot be run. */
  refused?: Refusal
}

/** What is to run. */
export type Script = {
  items: AsyncIterable<RunItem> | Iterable<RunItem>
  /** The rows that the one SELECT of a text was limited to. */
  limitedTo?: number | null
  /** What went wrong, with its place in the whole text. */
  describe(error: DatabaseError, item: RunItem): SqlError
}

export type Run = Script & {
  client: Client
  explain?: Explain | undefined
  /** Each statement gets a transaction of its own that only reads. */
  readOnly?: boolean
  /** All of it in one transaction, which is committed when nothing failed. */
  oneTransaction?: boolean | undefined
  /** Of a session that has run something before; one that is new makes its own. */
  reader?: ResultReader
  /** The session goes on after this text, and so does the transaction it is in. */
  goesOn?: boolean
  /** False: the reader is behind; wait for `drained` before sending more. */
  send(event: RunEvent): boolean
  drained(): Promise<void>
  typeNames: TypeNames
  /** Nobody reads the answer any more, or wants it to go on: no further statement begins. */
  stopped(): 'gone' | 'cancelled' | undefined
  caps?: typeof runCaps
}

export type Session = Run & {
  reader: ResultReader
  outbox: Outbox
  left: { rows: number; characters: number }
  /** The statement that runs. */
  index: number
  /** In milliseconds of performance.now(): when it began. */
  began: number
  /** Results are wanted on their side (`\x`). */
  expanded: boolean
}

export type Failure = { item: RunItem; error: Error }

/** A result begins: tells of what, and answers its index. */
export function announce(session: Session, item: RunItem, title?: string): number {
  const { start, end, line, isExpanded } = item
  session.index += 1
  session.began = performance.now()
  session.outbox.push({
    type: 'statement',
    index: session.index,
    start,
    end,
    line,
    limited_to: session.limitedTo ?? null,
    ...(title === undefined ? {} : { title }),
    ...((isExpanded ?? session.expanded) ? { expanded: true } : {}),
  })
  return session.index
}

/** Leaves the transaction that a session is in, and what was done in it. */
export const endTransaction = async ({ client, reader }: Pick<Session, 'client' | 'reader'>) =>
  client.getTransactionStatus() === 'I' ? undefined : reader.run('rollback', silent)

/** What Postgres was not even asked for. */
export type Refusal = { code: string; message: string; hint?: string }

/** A refusal of ours in the shape of those of Postgres, at the beginning of what is refused. */
export function refusal({ code, message, hint }: Refusal): DatabaseError {
  const error = new DatabaseError(message, message.length, 'error')
  return Object.assign(error, { severity: 'ERROR', code, position: '1', ...(hint ? { hint } : {}) })
}
