import { z } from 'zod'

/** Values that a statement is given beside its text. Whole numbers are taken for such. */
export type Parameter = string | number

/** Files that make the view `entries`, relative to where the engine was started. */
export type Files = { lines: string[]; packed: string[] }

/**
 * What is run: `$1` in its text is the first parameter, and what it reads is called `entries`. Where entries are counted
 * already, their numbers are called `counts`, and those that are read all the same `edges`.
 */
export type Statement = {
  files: Files
  counted?: { counts: string[]; edges: string[] }
  sql: string
  parameters: Parameter[]
}

export type Ask = {
  kind: 'ask'
  id: number
  /** One after the other, in one instance that may read the files of all of them and nothing else. */
  statements: Statement[]
  /** A regular expression that is a parameter of them; it is looked at first. */
  pattern?: string | undefined
  /** Rows after which no further statement is run. */
  enough?: number | undefined
  /** Bytes of rows, as JSON, after which no further row is answered. */
  maxBytes: number
}
/** A question in SQL of a public dialect about entries of some files, from `from`, up to but not at `to`. */
export type Query = {
  kind: 'query'
  id: number
  files: Files
  sql: string
  dialect: 'analytics' | 'columns'
  from: number
  to: number
  /** Of the audit of Auth (`Kept`). */
  auditSince: number
  /** Now, in microseconds since 1970. */
  now: number
  maxRows: number
  maxBytes: number
}
/** `counts`: where the entries of the packed file are counted. */
export type Pack = { kind: 'pack'; id: number; files: Files; to: string; counts: string }

/** What the engine is told by who started it. `user` is who it is from then on. */
export type ToEngine =
  | { kind: 'begin'; memoryMb: number; user: { uid: number; gid: number } | undefined }
  | Ask
  | Pack
  | Query
  | { kind: 'interrupt' }

export type Value = string | number | boolean | null
export type Row = Value[]

/** Tens of thousands of values are looked at here: as a schema for each of them it would take milliseconds. */
const isValue = (value: unknown) =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean'
const areLists = (value: unknown, each: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(each)
const Results = z.custom<Row[][]>((results) =>
  areLists(results, (rows) => areLists(rows, (row) => areLists(row, isValue))),
)

/**
 * - `moved`: a file is not there any more.
 * - `memory`: it needs more than it may have.
 * - `interrupted`: it was told to stop.
 * - `pattern`: a regular expression is none.
 * - `refused`: a question in SQL that cannot be asked; the message says why.
 */
export const failures = ['moved', 'memory', 'interrupted', 'pattern', 'refused', 'other'] as const
export type Failure = (typeof failures)[number]

/** What the engine says. It has read what tenants wrote, so this is checked. */
export const FromEngine = z.union([
  z.object({ ready: z.literal(true) }),
  /** There is no engine for this machine. */
  z.object({ missing: z.string() }),
  z.object({
    id: z.number(),
    /** For each statement that was run, its rows. */
    results: Results,
    /** Some rows were left out, because there were too many bytes. */
    cut: z.boolean(),
  }),
  z.object({
    id: z.number(),
    /** Entries in the packed file, and the first and last of their times; null: there are none, and no file. */
    packed: z
      .object({
        count: z.number(),
        first: z.number(),
        last: z.number(),
        /** By what its entries are counted in a file beside it; null: there is none. */
        counts: z.enum(['all', 'few']).nullable(),
      })
      .nullable(),
  }),
  z.object({
    id: z.number(),
    columns: z.array(z.string()),
    rows: z.array(z.array(z.unknown())),
    /** There are more rows, which were left out. */
    cut: z.boolean(),
  }),
  z.object({ id: z.number(), failure: z.enum(failures), message: z.string() }),
])
export type FromEngine = z.infer<typeof FromEngine>
