import type { FieldNode } from 'graphql'
import type { Column, Func, Relation, Table, Value } from './model.ts'

/** A filter as GraphQL has read it: names and kinds of values are right, the values still text or numbers. */
export type Filter = Readonly<Record<string, unknown>>
export type Order = { column: Column; direction: string }

/** What is read of a row. `key` is what the answer calls it. */
export type RowPlan = { table: Table; fields: readonly RowField[] }
export type RowField = { key: string } & (
  | { kind: 'column'; column: Column }
  | { kind: 'nodeId' }
  | { kind: 'one'; relation: Relation; row: RowPlan }
  | { kind: 'many'; relation: Relation; connection: ConnectionPlan }
  | { kind: 'computed'; fn: Func; read: ReadPlan }
)
/** What is read of what a function returns. */
export type ReadPlan =
  | { kind: 'value'; value: Value }
  | { kind: 'row'; row: RowPlan }
  | { kind: 'rows'; connection: ConnectionPlan }

export type Page = {
  size: number
  /** The rows are the last ones, ahead of the cursor if there is one. */
  backward: boolean
  offset: number
  /** Values of the columns in `order` where the page begins, that row apart. */
  cursor: readonly (string | null)[] | undefined
  /** Ends in the primary key, so that no two rows have the same place. */
  order: readonly Order[]
}

export type PageInfo = 'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor'
export type EdgeField = { key: string } & ({ kind: 'cursor' } | { kind: 'node'; row: number })
export type ConnectionField = { key: string } & (
  | { kind: 'edges'; fields: readonly EdgeField[] }
  | { kind: 'pageInfo'; fields: readonly { key: string; what: PageInfo }[] }
  | { kind: 'totalCount' }
)
/** `rows`: what is read of each row, once for each place in the answer where it stands; usually there is one. */
export type ConnectionPlan = {
  table: Table
  page: Page
  filter: Filter | undefined
  fields: readonly ConnectionField[]
  rows: readonly RowPlan[]
  /** SQL of what has the rows, where that is not the table. */
  source?: string
}

export type ResponsePlan = {
  fields: readonly ({ key: string } & (
    | { kind: 'affectedCount' }
    | { kind: 'records'; row: number }
  ))[]
  rows: readonly RowPlan[]
}

/** A field of the query or of the mutation: one statement. */
export type RootPlan = { key: string; node: FieldNode } & (
  | { kind: 'node'; id: readonly string[]; row: RowPlan }
  | { kind: 'collection'; connection: ConnectionPlan }
  | { kind: 'call'; fn: Func; args: Filter; read: ReadPlan }
  | { kind: 'insert'; table: Table; objects: readonly Filter[]; response: ResponsePlan }
  | {
      kind: 'update'
      table: Table
      set: Filter
      filter: Filter | undefined
      atMost: number
      response: ResponsePlan
    }
  | {
      kind: 'delete'
      table: Table
      filter: Filter | undefined
      atMost: number
      response: ResponsePlan
    }
)
