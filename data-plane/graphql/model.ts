import type { GraphQLEnumType } from 'graphql'
import type { Operator, Scalar } from './schema/scalars.ts'

/** A schema as GraphQL shows it to one role. Columns and tables have the database's names, fields GraphQL's. */
export type Model = {
  tables: readonly Table[]
  /** By name in the database. */
  byName: ReadonlyMap<string, Table>
  /** By the name of its type. */
  byType: ReadonlyMap<string, Table>
  /** Those that are root fields. */
  functions: readonly Func[]
}

/** A type of values, in GraphQL and as the database spells them. */
export type Value = Pick<Column, 'kind' | 'list'>

export type Func = {
  schema: string
  name: string
  field: string
  description: string | undefined
  volatile: boolean
  /** `type` is SQL. None of them where the argument is the row that has the field. */
  args: readonly { name: string; field: string; optional: boolean; type: string; value: Value }[]
  returns: { kind: 'value'; value: Value } | { kind: 'row' | 'rows'; table: Table }
}

export type Column = {
  name: string
  field: string
  description: string | undefined
  notNull: boolean
  list: boolean
  kind: Scalar | { type: GraphQLEnumType; operators: readonly Operator[]; asText: true }
  operators: readonly Operator[]
  ordered: boolean
  selectable: boolean
  insertable: boolean
  updatable: boolean
}

export type Table = {
  schema: string
  name: string
  description: string | undefined
  typeName: string
  /** What names of its fields in queries and mutations are made of. */
  fieldName: string
  totalCount: boolean
  deletable: boolean
  /** Every column of the database's, in its order; undefined when the role may not read all of them. */
  whole: readonly string[] | undefined
  primaryKey: readonly Column[]
  /** Of GraphQL objects, by field; the columns that the role may not read are in `columns` only. */
  fields: ReadonlyMap<string, Field>
  columns: readonly Column[]
}

export type Field =
  | { kind: 'column'; column: Column }
  | { kind: 'nodeId' }
  | { kind: 'relation'; relation: Relation }
  | { kind: 'computed'; fn: Func }

/** While it is being made: relations need all tables first. */
export type Draft = Table & { fields: Map<string, Field> }

/** How rows of `target` belong to a row of the table that has this. */
export type Relation = {
  target: Table
  /** One row at most. */
  toOne: boolean
  on: readonly { own: Column; other: Column }[]
}

export const typeNames = (typeName: string) => ({
  connection: `${typeName}Connection`,
  edge: `${typeName}Edge`,
  filter: `${typeName}Filter`,
  orderBy: `${typeName}OrderBy`,
  insertInput: `${typeName}InsertInput`,
  insertResponse: `${typeName}InsertResponse`,
  updateInput: `${typeName}UpdateInput`,
  updateResponse: `${typeName}UpdateResponse`,
  deleteResponse: `${typeName}DeleteResponse`,
})

/** Names of root fields; the ones of mutations end in how the type is spelled. */
export const rootNames = ({ typeName, fieldName }: Pick<Table, 'typeName' | 'fieldName'>) => ({
  collection: `${fieldName}Collection`,
  insert: `insertInto${typeName}Collection`,
  update: `update${typeName}Collection`,
  delete: `deleteFrom${typeName}Collection`,
})

/** Of the columns that a new or changed row may be given. */
export const columnsFor = (table: Table, right: 'insertable' | 'updatable'): readonly Column[] =>
  table.columns.filter((column) => column[right])
