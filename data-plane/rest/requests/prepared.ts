import type { Answer } from '../answers/answer.ts'
import type { Row, Statement } from '../../projects/transaction.ts'
import type { ServingSettings } from './incoming.ts'
import type { Schema } from '../catalog/schema.ts'
import type { At } from '../query/query.ts'

/** A planned request: what to run and what to make of the rows. Nothing in it has touched the database. */
export type Prepared = {
  readOnly: boolean
  /** A read replica could answer it: it reads tables, or calls a function that says of itself that it only does so. */
  replicable?: boolean
  /** It may leave something behind in its session, unless a function that looks at every request does. */
  leavesTraces: boolean
  /** Nothing of it can set something for the whole session, unless a function that looks at every request does. */
  keepsSettings?: boolean
  statements: readonly Statement[]
  /** Settings of this request alone, such as a function's own timeout. */
  settings: readonly (readonly [name: string, value: string])[]
  /** Sees the rows of `statements` before the commit. */
  refuse: ((results: readonly Row[][]) => Error | undefined) | undefined
  /** The rows of `statements` after the commit. */
  answer(results: readonly Row[][]): Answer
}

/** What planning needs to know beside the request. */
export type Serving = { schema: Schema; settings: ServingSettings }

/** The cap on rows: what the database says of its data API, else what the installation gives. */
export function maxRowsOf({ schema, settings }: Serving): number {
  const own = Number(schema.options.get('db_max_rows'))
  return own > 0 ? own : settings.maxRows
}

export const aggregatesEnabled = ({ schema }: Serving): boolean =>
  schema.options.get('db_aggregates_enabled') === 'true'

/** What is said of the resource itself, not of something embedded in it. */
export const ofRoot = <T>(list: readonly At<T>[]): T | undefined =>
  list.find(({ path }) => path.length === 0)?.is
