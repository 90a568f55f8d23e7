import { closest, distance } from 'fastest-levenshtein'
import { fieldPlaces, type FieldPlace } from '#contract/observability/log-fields'
import type { LogSource } from '#contract/observability/log-sources'
import { call, cast, column, nothing, QueryRefusal, text, type Node } from './node.ts'

/** What a part of a query can name: a source, a part of a source's entries that was unnested, or another query. */
export type Relation =
  | { kind: 'source'; alias: string; source: LogSource | 'logs' }
  | { kind: 'part'; alias: string; of: string; source: LogSource | 'logs'; path: string }
  | { kind: 'query'; alias: string }

export type Scope = {
  relations: Relation[]
  /** The query around it, whose names it may use. */
  around: Scope | undefined
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/**
 * The value that the parts of a column's name stand for: `timestamp`, `request.method`, `m.request.method`. Undefined when
 * no relation of the scope or around it has it.
 */
export function resolved(names: readonly string[], scope: Scope | undefined): Node | undefined {
  if (!scope) return undefined
  return resolvedHere(names, scope.relations) ?? resolved(names, scope.around)
}

function resolvedHere(names: readonly string[], relations: readonly Relation[]): Node | undefined {
  const [first = '', ...rest] = names
  const named = relations.find(({ alias }) => same(alias, first))
  if (named && (rest.length > 0 || named.kind === 'part')) {
    if (named.kind === 'query') return rest.length === 1 ? column(...names) : undefined
    const path = named.kind === 'part' ? [named.path, ...rest] : rest
    return valueOf(named.source, tableOf(named), path.join('.'))
  }
  for (const each of relations) {
    if (each.kind === 'query') continue
    const path = each.kind === 'part' ? [each.path, ...names] : names
    const value = valueOf(each.source, tableOf(each), path.join('.'))
    if (value) return value
  }
  return undefined
}

const tableOf = (relation: Exclude<Relation, { kind: 'query' }>) =>
  relation.kind === 'part' ? relation.of : relation.alias

/** @throws QueryRefusal that names the nearest field */
export function unknownName(names: readonly string[], scope: Scope): never {
  const name = names.join('.')
  const known = new Set<string>()
  for (let each: Scope | undefined = scope; each; each = each.around) {
    for (const relation of each.relations) {
      if (relation.kind === 'query') continue
      for (const path of ['timestamp', ...fieldPlaces(relation.source).keys()]) {
        known.add(path)
        known.add(path.replace(/^metadata\./, ''))
        known.add(path.slice(path.lastIndexOf('.') + 1))
      }
    }
  }
  throw new QueryRefusal(`Unknown field "${name}"${nearest(name, [...known])}`)
}

/** `. Did you mean "x"?`, or nothing where nothing is near. */
export function nearest(name: string, known: readonly string[]): string {
  if (known.length === 0) return ''
  const found = closest(name, known)
  return distance(name, found) <= Math.max(2, name.length / 3) ? `. Did you mean "${found}"?` : ''
}

/** A field, or the object that the fields below a path make; undefined where there is neither. */
function valueOf(source: LogSource | 'logs', table: string, path: string): Node | undefined {
  if (same(path, 'timestamp')) return column(table, 'timestamp')
  const places = fieldPlaces(source)
  const place = places.get(path)
  if (place) return placeNode(place, table)
  const below = [...places.keys()].filter((each) => each.startsWith(`${path}.`))
  return below.length === 0 ? undefined : objectOf(source, table, path, below)
}

function placeNode(place: FieldPlace, table: string): Node {
  if (place.kind === 'absent') return cast(nothing, types[place.type])
  if (place.kind === 'column') return column(table, place.column)
  const value = call('json_extract_string', column(table, 'rest'), text(`$."${place.key}"`))
  return place.type === 'string' ? value : cast(value, types[place.type], true)
}
const types = { string: 'VARCHAR', number: 'DOUBLE', boolean: 'BOOLEAN' } as const

/** As the older dialect nests entries: each object is the one element of a list. */
function objectOf(
  source: LogSource | 'logs',
  table: string,
  path: string,
  below: readonly string[],
): Node {
  const names = new Set(below.map((each) => each.slice(path.length + 1).split('.', 1)[0] ?? ''))
  const members = [...names].flatMap((name) => {
    const value = valueOf(source, table, `${path}.${name}`)
    return value ? [text(name), value] : []
  })
  return call('json_array', call('json_object', ...members))
}
