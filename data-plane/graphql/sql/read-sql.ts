import type { Column, Table, Value } from '../model.ts'
import { filterSql, keySql } from './filter-sql.ts'
import { behindSql, orderSql, takenOrder } from './page-sql.ts'
import type { ConnectionPlan, ReadPlan, RowField, RowPlan } from '../plan.ts'
import { columnSql, functionSql, qualified, Taken, type Writing } from './sql-parts.ts'

/** Conditions that tie the rows of a table to what surrounds it, by the table's alias. */
type Ties = (alias: string) => string[]

/** A row of some rows called `alias`, as JSON: f0, f1 ... in the order of the plan's fields. */
export function rowJson(plan: RowPlan, alias: string, taken: Taken, writing: Writing): string {
  if (plan.fields.length === 0) return `'{}'::json`
  const fields = plan.fields.map(
    (field, i) => `${fieldSql(field, plan.table, alias, taken, writing)} as f${i}`,
  )
  return `(select row_to_json(r) from (select ${fields.join(', ')}) r)`
}

function fieldSql(
  field: RowField,
  table: Table,
  alias: string,
  taken: Taken,
  writing: Writing,
): string {
  const own = (column: Column) => `${alias}.${taken.nameOf(column)}`
  switch (field.kind) {
    case 'column':
      return valueSql(own(field.column), field.column)
    case 'computed': {
      const call = `${functionSql(field.fn)}(${alias}.${taken.nameOfRow(table)})`
      return computedSql(field.read, call, writing)
    }
    case 'nodeId':
      return textsSql(table.primaryKey.map(own))
    case 'one':
    case 'many': {
      const ties: Ties = (inner) =>
        field.relation.on.map((pair) => `${columnSql(inner, pair.other)} = ${own(pair.own)}`)
      return field.kind === 'one'
        ? oneSql(field.row, ties, writing)
        : connectionSql(field.connection, ties, writing)
    }
    default:
      return field satisfies never
  }
}

/** Types whose JSON would lose something, or that GraphQL knows as text only, come as the database spells them. */
export const valueSql = (name: string, { kind, list }: Value) =>
  kind.asText ? `(${name})::text${list ? '[]' : ''}` : name

const textsSql = (names: readonly string[]) =>
  `json_build_array(${names.map((name) => `${name}::text`).join(', ')})`

/** What a function of a row returns for it. */
function computedSql(read: ReadPlan, call: string, writing: Writing): string {
  switch (read.kind) {
    case 'value':
      return valueSql(call, read.value)
    case 'row':
      return rowOfSql(read.row, call, writing)
    case 'rows':
      return connectionSql({ ...read.connection, source: call }, () => [], writing)
    default:
      return read satisfies never
  }
}

/** The first row of what a function returns. One that returns no row makes one of nothing but nulls. */
export function rowOfSql(plan: RowPlan, call: string, writing: Writing): string {
  return oneSql(plan, (alias) => [`not (${alias} is null)`], writing, call)
}

/** The row that a key points to, or null. */
function oneSql(
  plan: RowPlan,
  ties: Ties,
  writing: Writing,
  source = qualified(plan.table),
): string {
  const [inner, rows] = [writing.alias(), writing.alias()]
  const taken = new Taken()
  const json = rowJson(plan, rows, taken, writing)
  const where = ties(inner).join(' and ')
  const from = `select ${taken.list(inner)} from ${source} ${inner} where ${where} limit 1`
  return `(select ${json} from (${from}) ${rows})`
}

/** The row of a node id, or null. */
export function nodeSql(plan: RowPlan, key: readonly string[], writing: Writing): string {
  return oneSql(plan, (alias) => [keySql(plan.table, alias, key, writing)], writing)
}

/**
 * A page of a collection as JSON: `rows`, each with its place and what is read of it; whether there are `more` in the
 * direction in which they were taken, and `others` on the side they were taken from; the `total`.
 */
export function connectionSql(plan: ConnectionPlan, ties: Ties, writing: Writing): string {
  const { table, filter } = plan
  /** Every row of the collection, whatever the page. */
  const all = (alias: string) => [
    ...ties(alias),
    ...(filter ? [filterSql(table, alias, filter, writing)] : []),
  ]
  const parts: string[] = []
  const kinds = new Set(plan.fields.map(({ kind }) => kind))
  if (kinds.has('totalCount')) {
    const counted = writing.alias()
    parts.push(
      `'total', (select count(*) from ${fromSql(table, counted, all(counted), plan.source)})`,
    )
  }
  if (!kinds.has('edges') && !kinds.has('pageInfo')) return `json_build_object(${parts.join(', ')})`
  if (asksForOthers(plan)) parts.push(`'others', ${othersSql(plan, all, writing)}`)
  return pageSql(plan, all, parts, writing)
}

const fromSql = (
  table: Table,
  alias: string,
  where: readonly string[],
  source = qualified(table),
) => `${source} ${alias}${where.length === 0 ? '' : ` where ${where.join(' and ')}`}`

/** One row more than the page is taken, which tells whether there are more. */
function pageSql(
  plan: ConnectionPlan,
  all: (alias: string) => string[],
  parts: readonly string[],
  writing: Writing,
): string {
  const { page, table } = plan
  const [inner, numbered, rows] = [writing.alias(), writing.alias(), writing.alias()]
  const order = takenOrder(page)
  const taken = new Taken()
  const members = [
    textsSql(page.order.map(({ column }) => `${rows}.${taken.nameOf(column)}`)),
    ...plan.rows.map((row) => rowJson(row, rows, taken, writing)),
  ]
  const shown = orderSql(page.order, (column) => `${rows}.${taken.nameOf(column)}`)
  const counted = orderSql(order, (column) => `${numbered}.${taken.nameOf(column)}`)
  const where = all(inner)
  if (page.cursor) where.push(behindSql(order, page.cursor, inner, writing))
  const size = `${writing.bind(String(page.size))}::int8`
  const limit = `limit ${writing.bind(String(page.size + 1))}::int8`
  const offset = page.offset > 0 ? ` offset ${writing.bind(String(page.offset))}::int8` : ''
  const sorted = orderSql(order, (column) => columnSql(inner, column))
  const found = `select ${taken.list(inner)} from ${fromSql(table, inner, where, plan.source)} order by ${sorted} ${limit}${offset}`
  const list = `coalesce(json_agg(json_build_array(${members.join(', ')}) order by ${shown}) filter (where ${rows}.n <= ${size}), '[]'::json)`
  const made = [`'rows', ${list}`, `'more', count(*) > ${size}`, ...parts]
  return `(select json_build_object(${made.join(', ')}) from (select ${numbered}.*, row_number() over (order by ${counted}) as n from (${found}) ${numbered}) ${rows})`
}

/** Only whoever asks for the other side's flag pays for it. */
function asksForOthers({ fields, page }: ConnectionPlan): boolean {
  const flag = page.backward ? 'hasNextPage' : 'hasPreviousPage'
  const asked = fields.some(
    (field) => field.kind === 'pageInfo' && field.fields.some(({ what }) => what === flag),
  )
  return asked && (page.cursor !== undefined || page.offset > 0)
}

function othersSql(
  { table, page, source }: ConnectionPlan,
  all: (alias: string) => string[],
  writing: Writing,
): string {
  const alias = writing.alias()
  const where = all(alias)
  if (page.cursor && page.offset === 0) {
    const behind = behindSql(takenOrder(page), page.cursor, alias, writing)
    // The row of the cursor itself is one of them.
    where.push(`${behind} is not true`)
  }
  return `exists (select from ${fromSql(table, alias, where, source)})`
}
