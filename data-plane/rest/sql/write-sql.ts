import { quoteIdent } from '#contract/ddl/sql-text'
import type { CatalogColumn } from '../catalog/catalog.ts'
import { whereSql } from './condition-sql.ts'
import type { Delete, Insert, Update, Write } from '../plan/plan-write.ts'
import { bodyColumn, defaultSql } from '../plan/representation.ts'
import { qualified, type Scope, type Values } from './sql-parts.ts'

/** Name of the rows of the body; not one of a relation that stands beside it. */
const bodyAlias = (write: Write) =>
  quoteIdent(write.relation.name === 'plinth_body' ? 'plinth_body_2' : 'plinth_body')

/** What the CTE of the changed rows is called. Conditions and columns see it under the relation's own name. */
export const changedRows = 'plinth_changed'

/** `with plinth_changed as (insert … returning …) `: the change itself; a read of its rows follows. */
export function changeSql(write: Write, values: Values): string {
  return `with ${changedRows} as (${statementSql(write, values)}) `
}

function statementSql(write: Write, values: Values): string {
  switch (write.kind) {
    case 'insert':
    case 'delete':
      return unseenSql(write, values) + returningSql(write)
    case 'update':
      return updateSql(write, values)
    default:
      return write satisfies never
  }
}

/** The change alone, for whoever asks neither for its rows nor for their number: counting them takes as long as a short insert. */
export const unseenSql = (write: Insert | Delete, values: Values): string =>
  write.kind === 'insert' ? insertSql(write, values) : deleteSql(write, values)

const deleteSql = (write: Delete, values: Values): string =>
  `delete from ${qualified(write.relation)}${whereSql(scopeOf(write), write.where, values)}`

function insertSql(write: Insert, values: Values): string {
  const names = write.columns.map((column) => quoteIdent(column.name))
  const body = bodyAlias(write)
  const target = names.length === 0 ? '' : ` (${names.join(', ')})`
  const taken = names.map((name) => `${body}.${name}`).join(', ')
  const source = bodySql(write, values)
  // The address of a PUT has to agree with its body; the type of the compared column is the body's own.
  const scope: Scope = { alias: body, columns: write.relation.columns }
  const where = whereSql(scope, write.where, values)
  const counted = write.conflict?.merge ? `${where === '' ? ' where ' : ' and '}${countUp}` : ''
  return `insert into ${qualified(write.relation)}${target} select ${taken} from ${source}${where}${counted}${conflictSql(write)}`
}

function conflictSql({ conflict, columns }: Insert): string {
  if (!conflict) return ''
  const target = conflict.columns.map(quoteIdent).join(', ')
  if (!conflict.merge || columns.length === 0) return ` on conflict (${target}) do nothing`
  const set = columns.map(({ name }) => `${quoteIdent(name)} = excluded.${quoteIdent(name)}`)
  return ` on conflict (${target}) do update set ${set.join(', ')} where ${countDown}`
}

/**
 * Rows that were really inserted, counted in a setting of the transaction: every row of the body counts up, and every
 * conflict that turns into an update counts down. Unlike the hidden column xmax this also works for views and partitions.
 */
const inserted = `coalesce(nullif(current_setting('plinth.inserted', true), ''), '0')::int`
const countUp = `set_config('plinth.inserted', (${inserted} + 1)::text, true) <> ''`
const countDown = `set_config('plinth.inserted', (${inserted} - 1)::text, true) <> ''`
export const insertedCount = inserted

function updateSql(write: Update, values: Values): string {
  const relation = qualified(write.relation)
  if (write.columns.length === 0) {
    return `select ${returningList(write)} from ${relation} where false`
  }
  const body = bodyAlias(write)
  const set = write.columns.map(({ name }) => `${quoteIdent(name)} = ${body}.${quoteIdent(name)}`)
  const source = bodySql(write, values)
  const where = whereSql(scopeOf(write), write.where, values)
  return `update ${relation} set ${set.join(', ')} from ${source}${where}${returningSql(write)}`
}

const scopeOf = (write: Write): Scope => ({
  alias: quoteIdent(write.relation.name),
  columns: write.relation.columns,
})

/** The body as rows of the columns' own types: one parameter, whatever the number of rows and columns. */
function bodySql(write: Insert | Update, values: Values): string {
  const { payload, columns } = write
  const { json, array } = payload
  const body = bodyAlias(write)
  const parameter = values.bind(json)
  // Brackets come there: here they would mean a copy of what may be megabytes.
  const text = array ? parameter : `('[' || ${parameter}::text || ']')`
  // A list of columns cannot be empty; rows without any are the elements themselves.
  if (columns.length === 0) return `json_array_elements(${text}::json) ${body}`
  const list = columns.map((c) => `${quoteIdent(c.name)} ${bodyColumn(c).type}`).join(', ')
  const defaults = write.defaults
    ? columns.filter((column) => column.default !== null && !column.generated)
    : []
  const own = ownValuesSql(columns, body)
  if (defaults.length === 0) {
    const rows = `json_to_recordset(${text}::json) as ${body}(${list})`
    return own ? `(select ${own} from ${rows}) ${body}` : rows
  }
  const pairs = defaults.map((c) => `${values.bind(c.name)}::text, ${defaultSql(c)}`)
  return `(select ${own ?? `${body}.*`} from jsonb_array_elements(${text}::jsonb) as plinth_item(value), jsonb_to_record(jsonb_build_object(${pairs.join(', ')}) || plinth_item.value) as ${body}(${list})) ${body}`
}

/** The values of a body as those of the columns, where the database says how one is read; else undefined. */
function ownValuesSql(columns: readonly CatalogColumn[], body: string): string | undefined {
  if (!columns.some((column) => column.representation?.in)) return undefined
  const own = columns.map((column) => {
    const name = quoteIdent(column.name)
    return `${bodyColumn(column).own(`${body}.${name}`)} as ${name}`
  })
  return own.join(', ')
}

const returningSql = (write: Write) => ` returning ${returningList(write)}`

/**
 * The columns that the answer needs and no other, because returning a column takes the right to read it. Computed
 * columns are called here, where the row still is one of its relation.
 */
function returningList({ relation, returning, read }: Write): string {
  const own = (name: string) => `${quoteIdent(relation.name)}.${quoteIdent(name)}`
  if (returning === 'minimal') return '1'
  if (returning === 'headers-only') {
    return relation.primaryKey.length === 0 ? '1' : relation.primaryKey.map(own).join(', ')
  }
  const fields = [
    ...read.select.map((item) => (item.kind === 'field' ? item.field : undefined)),
    ...read.order.map((term) => (term.relation === undefined ? term.field : undefined)),
  ]
  const names = new Set([
    ...fields.flatMap((field) => field?.name ?? []),
    ...read.embeds.flatMap(({ relationship }) => relationship.on.map(([name]) => name)),
  ])
  if (!read.select.some((item) => item.kind === 'all')) {
    const row = read.rowColumn
      ? [
          `row(${quoteIdent(relation.name)}.*)::${qualified(relation)} as ${quoteIdent(read.rowColumn)}`,
        ]
      : []
    const list = [...row, ...[...names].map(own)]
    return list.length === 0 ? '1' : list.join(', ')
  }
  const computed = [...names].filter((name) => !relation.columns.has(name))
  return [`${quoteIdent(relation.name)}.*`, ...computed.map(own)].join(', ')
}
