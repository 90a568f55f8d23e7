import type { Restriction } from '../projects/restriction.ts'
import type { Row, Statement } from '../projects/transaction.ts'

/** What of a column the service takes from the data API's schema cache. */
export type CachedColumn = { generated: boolean }
export type CachedRelation = {
  name: string
  view: boolean
  primaryKey: readonly string[]
  insertable: boolean
  updatable: boolean
  deletable: boolean
  columns: ReadonlyMap<string, CachedColumn>
}
export type CachedKey = {
  name: string
  schema: string
  relation: string
  columns: readonly string[]
  target_schema: string
  target: string
  target_columns: readonly string[]
  /** The columns can hold a value once only. */
  unique: boolean
}
/** The data API's schema, as far as it is needed here: features know each other by shape only. */
export type CachedSchema = {
  relations: ReadonlyMap<string, ReadonlyMap<string, CachedRelation>>
  foreignKeys: readonly CachedKey[]
  /** `pgrst.*` settings of the login, without their prefix. */
  options: ReadonlyMap<string, string>
}

/** One transaction with the settings that the data API makes for every request. */
export type Work = {
  statements: readonly Statement[]
  readOnly: boolean
  /** Settings of this transaction alone. */
  settings?: readonly (readonly [name: string, value: string])[]
  /** Sees the rows of `statements` before the commit. */
  refuse?: ((results: readonly Row[][]) => Error | undefined) | undefined
}

/** What one request may use: handed in by the room, which stands it on the data API. */
export type Service<S extends CachedSchema = CachedSchema> = {
  role: string
  /** The exposed schema that is meant. */
  profile: string
  /** The organization may only read now. */
  restriction: Restriction | undefined
  schema(): Promise<S>
  /** Waits for every change committed before this call; undefined when there is nothing newer. */
  caughtUp(than: S): Promise<S | undefined>
  /** Runs in the caller's role; resolves with the rows of `statements`. Rejects with a Refusal where it can be told. */
  run(schema: S, work: Work): Promise<Row[][]>
}
