import type { EntityColumn, EntityDetail } from '#contract/database/pg-meta-shapes'
import { rowsOf } from '../scope.ts'
import type { Queryable } from '../queryable.ts'

/** What a view takes over from the table that its rows are of. */
export type FromTable = Pick<
  EntityDetail,
  'columns' | 'primary_key' | 'foreign_keys' | 'checks' | 'read_only_because' | 'fixed_rows_because'
>
type View = Pick<EntityDetail, 'id' | 'columns' | 'foreign_keys' | 'checks'>

/** Views of views of views. */
const deepest = 20
/** UPDATE, INSERT and DELETE, as pg_relation_is_updatable counts them. */
const everything = 4 + 8 + 16

const ruleSql = `
  select pg_relation_is_updatable(c.oid, false) as by_itself, pg_relation_is_updatable(c.oid, true) as by_triggers,
    r.ev_action::text as action
  from pg_class c join pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'
  where c.oid = $1::int8
`
type Rule = { by_itself: number; by_triggers: number; action: string }

const tangled =
  'This view cannot be edited: PostgreSQL changes rows only through views of a single table without grouping, DISTINCT or LIMIT. Change the rows of the tables it reads from.'
const byTriggers =
  'This view is changed by its own triggers, and its rows have no key by which one of them could be found.'

/**
 * How the rows of a view are changed. Each is a row of one table where Postgres itself can write through the view, and it
 * is found by the columns that are the table's primary key. `tableOf` reads that table, or the view that is read in turn.
 */
export async function throughView(
  db: Queryable,
  view: View,
  tableOf: (id: number) => Promise<EntityDetail | undefined>,
  depth = 0,
): Promise<FromTable> {
  const { columns, foreign_keys, checks } = view
  const none = { columns, primary_key: [], foreign_keys, checks, fixed_rows_because: null }
  const [rule] = await rowsOf<Rule>(db, ruleSql, [view.id])
  if (!rule || (rule.by_itself & everything) !== everything)
    return { ...none, read_only_because: rule && rule.by_triggers > 0 ? byTriggers : tangled }
  const origins = originsOf(rule.action)
  const ids = new Set(
    columns.flatMap(({ ordinal_position: place, is_updatable: own }) => {
      const origin = own ? origins.get(place) : undefined
      return origin ? [origin.table] : []
    }),
  )
  const [id] = ids
  const read = id === undefined || ids.size > 1 ? undefined : await tableOf(id)
  if (!read || depth > deepest) return { ...none, read_only_because: tangled }
  const table =
    read.kind === 'view' ? { ...read, ...(await throughView(db, read, tableOf, depth + 1)) } : read
  return { read_only_because: table.read_only_because, ...shownOf(view, table, origins) }
}

/** What is known of the table, in the names of the view. */
function shownOf(
  { columns }: View,
  table: EntityDetail,
  origins: ReturnType<typeof originsOf>,
): Omit<FromTable, 'read_only_because'> {
  const names = new Map<string, string>()
  const shown = columns.map((column): EntityColumn => {
    const origin = column.is_updatable ? origins.get(column.ordinal_position) : undefined
    const base = table.columns.find((one) => one.ordinal_position === origin?.column)
    if (!base) return column
    if (!names.has(base.name)) names.set(base.name, column.name)
    const { is_nullable, is_identity, identity_generation, is_generated } = base
    const default_value = column.default_value ?? base.default_value
    return { ...column, is_nullable, is_identity, identity_generation, is_generated, default_value }
  })
  const renamed = (of: readonly string[]) => {
    const own = of.flatMap((name) => names.get(name) ?? [])
    return own.length === of.length ? own : undefined
  }
  const withOwnNames = <T extends { columns: string[] }>(all: readonly T[]): T[] =>
    all.flatMap((one) => {
      const own = renamed(one.columns)
      return own ? [{ ...one, columns: own }] : []
    })
  const key = renamed(table.primary_key)
  return {
    columns: shown,
    primary_key: key ?? [],
    foreign_keys: withOwnNames(table.foreign_keys),
    checks: withOwnNames(table.checks),
    fixed_rows_because: key
      ? table.fixed_rows_because
      : `This view does not show the primary key of ${table.schema}.${table.name} (${table.primary_key.join(', ')}), so a single row cannot be found. New rows can be inserted.`,
  }
}

/** The column of a table (or view) that a column of a view shows as it is. */
type Origin = { table: number; column: number }

/** A brace that opens or closes a node, or what a column of the result says of itself; a backslash takes the next sign's meaning. */
const mark =
  /\\.|\{|\}|:resno (\d+) :resname (?:\\.|[^\s\\])* :ressortgroupref \d+ :resorigtbl (\d+) :resorigcol (\d+)/gs

/**
 * Where the columns of a view come from, by their places from 1: Postgres keeps that in the rule which makes the view. Its
 * queries inside of others have columns too, which lie deeper than the two nodes of the view's own.
 */
export function originsOf(action: string): Map<number, Origin> {
  const origins = new Map<number, Origin>()
  let depth = 0
  for (const [found, place, table, column] of action.matchAll(mark)) {
    if (found === '{') depth += 1
    else if (found === '}') depth -= 1
    else if (place !== undefined && depth === 2 && Number(table) > 0)
      origins.set(Number(place), { table: Number(table), column: Number(column) })
  }
  return origins
}
