import type { Catalog, CatalogColumn } from './catalog.ts'
import type { Maker } from '../answers/media.ts'

export type Relation = {
  schema: string
  name: string
  view: boolean
  insertable: boolean
  updatable: boolean
  deletable: boolean
  /** Changes that run no code but the server's own: nothing of them stays in a session. */
  plain: { read: boolean; insert: boolean; update: boolean; delete: boolean }
  primaryKey: readonly string[]
  columns: ReadonlyMap<string, CatalogColumn>
}
export type Argument = { name: string; type: string; optional: boolean; variadic: boolean }
export type Fn = {
  schema: string
  name: string
  args: readonly Argument[]
  returns: 'void' | 'scalar' | 'composite'
  set: boolean
  /** What it returns is the whole body, of this media type. */
  media: Maker | undefined
  /** Whose rows it returns, when that is a relation of an exposed schema. */
  relation: Relation | undefined
  /** Declared to return one row at most. */
  one: boolean
  /** The relation whose row is its only argument: what it returns belongs to that row. */
  of: Relation | undefined
  volatile: boolean
  settings: readonly (readonly [name: string, value: string])[]
}
/** An aggregate of the database that makes an answer's body of its rows (contract §8). */
export type Handler = Maker & {
  schema: string
  name: string
  /** Whose rows it takes; undefined when any. */
  of: Relation | undefined
}
export type Handlers = {
  /** Those that take the rows of one relation. */
  of: ReadonlyMap<Relation, readonly Handler[]>
  /** Those that take any rows. */
  general: readonly Handler[]
}
export type ForeignKey = Catalog['foreign_keys'][number]

/** The exposed schemas, by name. Immutable: a reload makes a new one, and requests under way keep theirs. */
export type Schema = {
  /** Counts the loads of this project's schema. */
  epoch: number
  relations: ReadonlyMap<string, ReadonlyMap<string, Relation>>
  functions: ReadonlyMap<string, ReadonlyMap<string, readonly Fn[]>>
  /** Of tables, and as views show them. */
  foreignKeys: readonly ForeignKey[]
  /** Functions of one row, by the relation of the row. */
  computed: ReadonlyMap<Relation, readonly Fn[]>
  /** Aggregates that make a body of rows. */
  handlers: Handlers
  /** Settings that a request takes on with its role. */
  roleSettings: ReadonlyMap<string, readonly (readonly [name: string, value: string])[]>
  /** How the data API is to work: `pgrst.*` settings of the login, without their prefix. */
  options: ReadonlyMap<string, string>
}
