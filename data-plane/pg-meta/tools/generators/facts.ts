export type TypeFact = {
  id: number
  schema: string
  name: string
  /** pg_type.typtype: b base, c composite (and rows of tables), d domain, e enum, p pseudo, r range. */
  kind: string
  /** Of a list. */
  element: number | null
  /** Of a domain. */
  base: number | null
  /** The table, view or composite type whose rows it is the type of. */
  relation: number | null
  relation_kind: string | null
  enums: string[]
  attributes: { name: string; type: number }[]
}

export type ColumnFact = {
  /** Position in the relation. */
  num: number
  name: string
  type: number
  is_nullable: boolean
  has_default: boolean
  is_identity: boolean
  /** Identity or generated: a value may never be given. */
  is_always: boolean
  is_updatable: boolean
}

export type RelationFact = {
  id: number
  schema: string
  name: string
  kind: 'table' | 'foreign_table' | 'view' | 'materialized_view'
  /** Rows can be inserted and updated. */
  is_updatable: boolean
  columns: ColumnFact[]
  relationships: {
    name: string
    columns: string[]
    is_one_to_one: boolean
    schema: string
    relation: string
    referenced_columns: string[]
  }[]
}

export type FunctionFact = {
  schema: string
  name: string
  args: { mode: string; name: string; type: number; has_default: boolean }[]
  /** As text, to tell overloads apart and in a steady order. */
  signature: string
  returns: number
  /** The relation whose rows it returns. */
  returns_relation: number | null
  is_set: boolean
  rows: number
}

/** All that the generators read of a database, of the schemas that are asked for. */
export type Facts = {
  schemas: string[]
  /** By name, partitions too. */
  relations: RelationFact[]
  functions: FunctionFact[]
  types: Map<number, TypeFact>
}

/** As people order names; not as bytes. */
export const byName = <A extends { name: string }>(left: A, right: A) =>
  left.name.localeCompare(right.name, 'en')

/** A type without the domains around it. */
export function plainType({ types }: Pick<Facts, 'types'>, id: number): TypeFact | undefined {
  const type = types.get(id)
  return type?.kind === 'd' && type.base ? plainType({ types }, type.base) : type
}
