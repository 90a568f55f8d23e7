import type { Catalog, CatalogColumn } from './catalog.ts'
import { readHandlers, type Handlers } from '../requests/handlers.ts'
import type { Maker } from '../answers/media.ts'
import { seenThroughViews } from './view-keys.ts'

export type Relation = {
  schema: string
  name: string
  view: boolean
  insertable: boolean
  updatable: boolean
  deletable: boolean
  /** Changes that run no code but the server's own: nothing of them stays in a session. */
  plain: { insert: boolean; update: boolean; delete: boolean }
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

const verbBits = { update: 4, insert: 8, delete: 16 }

/** `options` stand in for those that the catalog has. */
export function readCatalog(
  catalog: Catalog,
  epoch: number,
  options: Schema['options'] = optionsIn(catalog),
): Schema {
  const relations = new Map<string, Map<string, Relation>>()
  const functions = new Map<string, Map<string, Fn[]>>()
  for (const name of catalog.schemas) {
    relations.set(name, new Map())
    functions.set(name, new Map())
  }
  const throughViews = seenThroughViews(catalog)
  for (const row of catalog.relations) {
    relations.get(row.schema)?.set(row.name, {
      schema: row.schema,
      name: row.name,
      view: row.kind === 'v' || row.kind === 'm',
      insertable: (row.writable & verbBits.insert) !== 0,
      updatable: (row.writable & verbBits.update) !== 0,
      deletable: (row.writable & verbBits.delete) !== 0,
      plain: {
        insert: (row.plain & verbBits.insert) !== 0,
        update: (row.plain & verbBits.update) !== 0,
        delete: (row.plain & verbBits.delete) !== 0,
      },
      primaryKey: row.primary_key ?? throughViews.primaryKeyOf(row.schema, row.name),
      columns: new Map((row.columns ?? []).map((column) => [column.name, column])),
    })
  }
  const relationOf = (place: { schema: string; name: string } | null) =>
    place ? relations.get(place.schema)?.get(place.name) : undefined
  const computed = new Map<Relation, Fn[]>()
  for (const row of catalog.functions) {
    const named = functions.get(row.schema)
    if (!named) continue
    const fn: Fn = {
      schema: row.schema,
      name: row.name,
      args: row.args ?? [],
      returns: row.returns,
      set: row.set,
      media: row.media === null ? undefined : { type: row.media, bytes: row.bytes },
      relation: relationOf(row.relation),
      one: row.one,
      of: relationOf(row.of),
      volatile: row.volatility === 'v',
      settings: (row.settings ?? []).map(splitSetting),
    }
    named.set(row.name, [...(named.get(row.name) ?? []), fn])
    if (fn.of && fn.relation) computed.set(fn.of, [...(computed.get(fn.of) ?? []), fn])
  }
  const settings = new Map(catalog.roles.map((role) => [role.name, role.settings ?? []]))
  return {
    epoch,
    relations,
    functions,
    foreignKeys: [...catalog.foreign_keys, ...throughViews.foreignKeys],
    computed,
    handlers: readHandlers(catalog.handlers, relationOf),
    roleSettings: new Map(
      [...settings].map(([role, list]) => [
        role,
        list.filter((s) => !isOption(s.name)).map((s) => [s.name, s.value] as const),
      ]),
    ),
    options,
  }
}

function optionsIn({ roles }: Catalog): Schema['options'] {
  const own = roles.find((role) => role.login)?.settings ?? []
  return new Map(
    own
      .filter((s) => isOption(s.name))
      .map((s) => [s.name.slice(optionPrefix.length), s.value] as const),
  )
}

export const optionPrefix = 'pgrst.'
const isOption = (name: string) => name.startsWith(optionPrefix)

function splitSetting(line: string): readonly [string, string] {
  const equals = line.indexOf('=')
  return [line.slice(0, equals), line.slice(equals + 1)]
}
