import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { inProject } from '../../permissions.ts'
import { sqlText } from '../pg-meta-shapes.ts'
import { ProjectRef as ref } from '../../values.ts'

/** Longer texts are not looked into while they are typed, in characters. */
export const longestChecked = 60_000
/** Minutes that an open transaction may be left alone before it is rolled back. */
export const transactionIdleMinutes = 5

const needs = inProject('tenant:Sql:Query', '*')

/** Places are UTF-16 offsets into the text that was sent. */
const SqlProblem = z.object({ start: z.number(), end: z.number(), message: z.string() })
export type SqlProblem = z.infer<typeof SqlProblem>

const SqlDanger = z.object({
  kind: z.enum(['destructive', 'update-without-where', 'alter-database']),
  text: z.string(),
  /** From 1. */
  line: z.number(),
})
/** A statement to ask about before it runs. */
export type SqlDanger = z.infer<typeof SqlDanger>

const SqlFunction = z.object({
  schema: z.string(),
  name: z.string(),
  /** As Postgres prints them: `value jsonb, VARIADIC paths text[]`. */
  arguments: z.string(),
  returns: z.string(),
  kind: z.enum(['function', 'procedure', 'aggregate', 'window']),
  description: z.string().nullable(),
})
export type SqlFunction = z.infer<typeof SqlFunction>

const SqlRelation = z.object({
  schema: z.string(),
  name: z.string(),
  columns: z.array(z.string()),
  /** The types of the columns, in pairs with them: `int8`, `_text`, `my_enum`. */
  types: z.array(z.string()),
})
/** A table or view in as few words as completion needs: thousands of them are read at once. */
export type SqlRelation = z.infer<typeof SqlRelation>

/** What the SQL editor asks beside running: about texts, functions and transactions. */
export const sqlTools = {
  /** What Postgres's own grammar says of a text, and which of its statements can lose data. Nothing runs. */
  check: endpoint('sql.check', 'POST /platform/pg-meta/:ref/query/check', {
    needs,
    perMinute: 240,
    input: z.object({ ref, query: sqlText(longestChecked) }),
    returns: z.object({ problems: z.array(SqlProblem), dangers: z.array(SqlDanger) }),
  }),
  /** What people have that has columns, by schema and name; `public` first, ten thousand at most. */
  relations: endpoint('sql.relations', 'GET /platform/pg-meta/:ref/query/relations', {
    needs,
    input: z.object({ ref }),
    returns: z.array(SqlRelation),
  }),
  /** All functions of this name, or, without one, those outside of Postgres's own schemas. */
  functions: endpoint('sql.functions', 'GET /platform/pg-meta/:ref/query/functions', {
    needs,
    input: z.object({ ref, name: z.string().min(1).max(200).optional() }),
    returns: z.array(SqlFunction),
  }),
  /** Ends the transaction that runs were asked to run in; 409 `transaction_gone` when it has ended before. */
  endTransaction: endpoint('sql.endTransaction', 'POST /platform/pg-meta/:ref/query/transaction', {
    needs,
    input: z.object({ ref, id: z.uuid(), how: z.enum(['commit', 'rollback']) }),
    /** False: it was rolled back, though it was asked to commit, because a statement in it had failed. */
    returns: z.object({ committed: z.boolean() }),
  }),
}
