import { DatabaseError } from 'pg'
import type { ResultCell } from '#contract/database/sql/sql-query'

/** A column as the protocol describes it. */
export type Described = { name: string; tableID: number; columnID: number; dataTypeID: number }

/** Takes what comes of one statement. */
export type ResultSink = {
  /** No cell is cut, as long as its row is not huge. */
  whole?: boolean
  fields(fields: Described[]): void
  row(cells: ResultCell[]): void
  /** The bytes that have arrived so far are all handed over. */
  flush(): void
  /** The command tag, such as `INSERT 0 5`. */
  complete(tag: string): void
  /** What COPY FROM STDIN reads. Without it such a statement fails. */
  copyIn?: AsyncIterable<string> | Iterable<string> | undefined
  /** What COPY TO STDOUT prints: a row at a time, unless it is binary. The bytes are lent for this moment. */
  copyOut?(bytes: Buffer, isBinary: boolean): void
}

/** For statements of our own, of which only a failure counts. */
export const silent: ResultSink = {
  fields: ignore,
  row: ignore,
  flush: ignore,
  complete: ignore,
}

/** A statement, and the values of its `$1`, `$2` ... */
export type Step = { text: string; values: readonly (string | null)[]; sink: ResultSink }

export function ignore(): void {
  // See where it is used.
}

export const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError
