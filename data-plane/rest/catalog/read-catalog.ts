import { qualified } from '../sql/sql-parts.ts'
import type { Catalog } from './catalog.ts'
import type { Fn, Handler, Handlers, Relation, Schema } from './schema.ts'
import { seenThroughViews } from './view-keys.ts'

const verbBits = { read: 2, update: 4, insert: 8, delete: 16 }

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
        read: (row.plain & verbBits.read) !== 0,
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

/** Where several make the same type of the same rows, the first by name does. */
function readHandlers(
  rows: Catalog['handlers'],
  relationOf: (place: { schema: string; name: string }) => Relation | undefined,
): Handlers {
  const own = new Map<Relation, Handler[]>()
  const general: Handler[] = []
  for (const row of rows.toSorted((a, b) => compare(qualified(a), qualified(b)))) {
    const { schema, name, media: type, bytes } = row
    const relation = row.of ? relationOf(row.of) : undefined
    // A relation out of sight has no address to ask at.
    if (row.of && !relation) continue
    const handler: Handler = { schema, name, type, bytes, of: relation }
    if (relation) own.set(relation, [...(own.get(relation) ?? []), handler])
    else general.push(handler)
  }
  return { of: own, general }
}

const compare = (a: string, b: string) => (a < b ? -1 : 1)
