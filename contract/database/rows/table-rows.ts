import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { As } from '../../data-api/impersonation.ts'
import { inProject } from '../../permissions.ts'
import { readJsonPath } from './json-path.ts'
import { oid } from '../pg-meta-inputs.ts'
import { Named, sqlText } from '../pg-meta-shapes.ts'
import { ProjectRef as ref } from '../../values.ts'

/** Characters of a value that travel with a list; the rest is asked for with `tableRows.value` (facts §10). */
export const cellHeadLength = 10_240
/** Bytes of a file that is written into a cell: it travels as two digits for each, and is kept in memory as such. */
export const largestUpload = 7 * 1024 * 1024
/** Tables with more rows than this (by the planner's estimate) are counted exactly only on demand (facts §10). */
export const exactCountLimit = 50_000

/**
 * A value exactly as Postgres prints it, so that no number, date or document loses anything on the way; null is NULL.
 * An object carries only the head of a value that is too large for a list.
 */
export const Cell = z.union([z.string(), z.null(), z.object({ head: z.string() })])
export type Cell = z.infer<typeof Cell>

/** A value that somebody typed, in the text form of its column's type; `{default: true}` leaves it to the column. */
export const NewCell = z.union([z.string(), z.null(), z.object({ default: z.literal(true) })])
export type NewCell = z.infer<typeof NewCell>

/**
 * The operators of the table editor's filters (facts §10 and more). `in` and `between` take values separated by commas,
 * and so do `@>` and `&&` for arrays; `is` takes a keyword. `contains` and `starts with` take text as it is, in any case.
 */
export const filterOperators = [
  '=',
  '<>',
  '>',
  '<',
  '>=',
  '<=',
  '~~',
  '~~*',
  'in',
  'is',
  'contains',
  'starts with',
  'between',
  'exists',
  '@>',
  '&&',
] as const
export type FilterOperator = (typeof filterOperators)[number]

/** Begins another group of conditions. All of a group must hold, for one of the groups. */
const or = z.boolean().optional()

export const ColumnFilter = z.object({
  column: Named,
  /** Where in a JSON document the value is: `address.lines[0]`. What is found there is compared as text. */
  path: z
    .string()
    .max(1000)
    .refine((path) => readJsonPath(path) !== undefined, 'Write a path as address.lines[0]')
    .optional(),
  operator: z.enum(filterOperators),
  value: z.string().max(10_000),
  or,
})
export type ColumnFilter = z.infer<typeof ColumnFilter>

/** An SQL expression about a row. It runs with the rights of whoever asks, as in the SQL editor. */
export const ConditionFilter = z.object({ condition: sqlText(10_000), or })
export type ConditionFilter = z.infer<typeof ConditionFilter>

export const RowFilter = z.union([ColumnFilter, ConditionFilter])
export type RowFilter = z.infer<typeof RowFilter>

export const RowSort = z.object({ column: Named, direction: z.enum(['asc', 'desc']) })
export type RowSort = z.infer<typeof RowSort>

/** A row by the text of its primary key's columns. */
export const RowKey = z.record(Named, z.string().max(10_000))
export type RowKey = z.infer<typeof RowKey>

export const RowChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('insert'), values: z.record(Named, NewCell) }),
  z.object({
    kind: z.literal('update'),
    key: RowKey,
    /** `from` is what the editor of the value saw; when the row holds something else now, it is a conflict. */
    set: z.record(Named, z.object({ from: Cell.optional(), to: NewCell })),
  }),
  z.object({
    kind: z.literal('delete'),
    key: RowKey,
    /** What the row is expected to hold; when it holds something else by now, it is a conflict. */
    from: z.record(Named, Cell).optional(),
  }),
])
export type RowChange = z.infer<typeof RowChange>

const filters = z.array(RowFilter).max(50).default([])
const cursor = z.string().max(20_000).optional()

/** The rows of one table, view, ... for the table editor. `id` is the entity's. */
export const tableRows = {
  list: endpoint('table-rows.list', 'POST /platform/pg-meta/:ref/entities/:id/rows', {
    needs: inProject('tenant:Sql:Query', '*'),
    input: z.object({
      ref,
      id: oid,
      filters,
      sort: z.array(RowSort).max(32).default([]),
      limit: z.number().int().min(1).max(1000).default(100),
      /** `next` or `previous` of another answer with the same filters, sort and limit. */
      cursor,
      /** The last page instead of the first; only where the rows have an order of their own (no views). */
      end: z.boolean().default(false),
      /** As who the rows are read; 403 for members who may only read. */
      as: As.optional(),
    }),
    returns: z.object({
      columns: z.array(z.string()),
      rows: z.array(z.array(Cell)),
      next: z.string().nullable(),
      previous: z.string().nullable(),
    }),
  }),
  count: endpoint('table-rows.count', 'POST /platform/pg-meta/:ref/entities/:id/count', {
    needs: inProject('tenant:Sql:Query', '*'),
    input: z.object({
      ref,
      id: oid,
      filters,
      exact: z.boolean().default(false),
      as: As.optional(),
    }),
    returns: z.object({ count: z.number(), is_estimate: z.boolean() }),
  }),
  /** One whole value, however large. */
  value: endpoint('table-rows.value', 'POST /platform/pg-meta/:ref/entities/:id/value', {
    needs: inProject('tenant:Sql:Query', '*'),
    input: z.object({ ref, id: oid, key: RowKey, column: Named }),
    returns: z.object({ value: z.string().nullable() }),
  }),
  /**
   * All changes or none, in the given order and one transaction. Answers each change's row as it is now (null for a
   * deleted one), and how to take it all back. A row that changed meanwhile or is gone: 409 with `conflicts`.
   */
  apply: endpoint('table-rows.apply', 'POST /platform/pg-meta/:ref/entities/:id/apply', {
    needs: inProject('tenant:Sql:Write:Update', '*'),
    input: z.object({ ref, id: oid, changes: z.array(RowChange).min(1).max(1000) }),
    maxBytes: 2 * largestUpload + 2 * 1024 * 1024,
    returns: z.object({
      columns: z.array(z.string()),
      rows: z.array(z.array(Cell).nullable()),
      /** Changes that take these back, in their order; null when they would be too large to keep, or rows have no key. */
      inverse: z.array(RowChange).nullable(),
    }),
  }),
}

/** What Postgres says of a change that it refused, beside its message. */
export type RowRefusal = {
  /** Its place among the changes; undefined when only all of them together were wrong. */
  change?: number
  /** The columns whose values were wrong, as far as Postgres says that. */
  columns?: string[]
  detail?: string
  hint?: string
}

/** What a refused `apply` says beside code and message. `row` is the row as it is now, null when it is gone. */
export type RowConflicts = { conflicts: { change: number; row: Cell[] | null }[] }
