import { badBody, otherKey, Problem } from '../answers/problem.ts'
import type { Payload } from '../requests/body.ts'
import type { CatalogColumn } from '../catalog/catalog.ts'
import type { ReadNode } from './read-node.ts'
import type { Preferences } from '../query/prefer.ts'
import type { Logic, Query } from '../query/query.ts'
import { checkColumns } from './resolve.ts'
import type { Relation } from '../catalog/schema.ts'

/** What to do with rows that are there already. */
export type Conflict = { columns: readonly string[]; merge: boolean }

type Changed = {
  relation: Relation
  where: readonly Logic[]
  /** What to show of the changed rows. */
  read: ReadNode
  returning: 'minimal' | 'headers-only' | 'representation'
}
export type Insert = Changed & {
  kind: 'insert'
  payload: Payload
  columns: readonly CatalogColumn[]
  /** Missing keys take the column's default instead of null. */
  defaults: boolean
  conflict: Conflict | undefined
}
export type Update = Changed & {
  kind: 'update'
  payload: Payload
  columns: readonly CatalogColumn[]
  defaults: boolean
}
export type Delete = Changed & { kind: 'delete' }
export type Write = Insert | Update | Delete

type Context = { query: Query; prefer: Preferences; relation: Relation; read: ReadNode }

export function planInsert({ query, prefer, relation, read }: Context, payload: Payload): Insert {
  const columns = columnsOf(relation, query, payload)
  const target = query.onConflict ?? relation.primaryKey
  if (query.onConflict) checkColumns(relation, query.onConflict)
  const conflict =
    prefer.resolution === undefined || target.length === 0
      ? undefined
      : { columns: target, merge: prefer.resolution === 'merge-duplicates' }
  return {
    kind: 'insert',
    relation,
    payload,
    columns,
    defaults: prefer.missing === 'default',
    conflict,
    where: [],
    read: withoutConditions(read),
    returning: prefer.return ?? 'minimal',
  }
}

/** One row by its primary key, made or replaced. The address must name exactly the key. */
export function planPut({ query, prefer, relation, read }: Context, payload: Payload): Insert {
  if (query.limit.length > 0 || query.offset.length > 0) {
    throw new Problem(
      400,
      'PGRST114',
      'limit/offset querystring parameters are not allowed for PUT',
    )
  }
  const named = read.where.map(keyFilter)
  const key = relation.primaryKey
  const exact = named.length === key.length && key.every((name) => named.includes(name))
  if (key.length === 0 || !exact) {
    throw new Problem(
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    )
  }
  if (payload.length === 0) throw otherKey()
  // Of several rows those of another key are left out, by the conditions.
  return {
    kind: 'insert',
    relation,
    payload,
    columns: columnsOf(relation, query, payload),
    defaults: prefer.missing === 'default',
    conflict: { columns: key, merge: true },
    where: read.where,
    read: withoutConditions(read),
    returning: prefer.return ?? 'minimal',
  }
}

/** The column of a plain `column=eq.value`. */
function keyFilter(logic: Logic): string | undefined {
  if (logic.kind !== 'filter' || logic.not || logic.field.json.length > 0) return undefined
  const { operation, field } = logic
  const isEqual =
    operation.kind === 'compare' && operation.operator === 'eq' && !operation.quantifier
  return isEqual ? field.name : undefined
}

export function planUpdate({ query, prefer, relation, read }: Context, payload: Payload): Update {
  // A list of nothing sets nothing, as an object of nothing does.
  if (payload.length > 1) throw badBody('The body of a PATCH must be one JSON object')
  return {
    kind: 'update',
    relation,
    payload,
    columns: columnsOf(relation, query, payload),
    defaults: prefer.missing === 'default',
    where: read.where,
    read: withoutConditions(read),
    returning: prefer.return ?? 'minimal',
  }
}

export function planDelete({ prefer, relation, read }: Context): Delete {
  return {
    kind: 'delete',
    relation,
    where: read.where,
    read: withoutConditions(read),
    returning: prefer.return ?? 'minimal',
  }
}

/**
 * The conditions choose what to change; what was changed is then shown as it is. Functions that take the row get it in a
 * column of its own, which is not to be shown with the others, and neither is what only the order needs.
 */
function withoutConditions(read: ReadNode): ReadNode {
  const shown: ReadNode = { ...read, where: [] }
  const needsRow = read.embeds.some(({ relationship }) => relationship.computed)
  if (!needsRow && !usesComputed(read)) return shown
  const all = [...(read.relation?.columns.keys() ?? [])].map((name) => plainColumn(name))
  const select = read.select.flatMap((item) => (item.kind === 'all' ? all : [item]))
  return { ...shown, select, ...(needsRow ? { rowColumn: 'plinth_row' } : {}) }
}

/** What is computed of a row stands beside its columns, and is none of them. */
function usesComputed({ relation, select, order }: ReadNode): boolean {
  const fields = [
    ...select.map((item) => (item.kind === 'field' ? item.field : undefined)),
    ...order.map((term) => (term.relation === undefined ? term.field : undefined)),
  ]
  return fields.some((field) => field && !relation?.columns.has(field.name))
}

const plainColumn = (name: string): ReadNode['select'][number] => ({
  kind: 'field',
  field: { name, json: [] },
  alias: undefined,
  cast: undefined,
  aggregate: undefined,
  aggregateCast: undefined,
})

function columnsOf(relation: Relation, query: Query, payload: Payload): CatalogColumn[] {
  if (!query.columns && !payload.uniform) throw badBody('All object keys must match')
  const names = query.columns ?? payload.keys
  checkColumns(relation, names)
  return names.flatMap((name) => relation.columns.get(name) ?? [])
}
