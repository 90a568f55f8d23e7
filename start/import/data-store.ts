import { quoteIdent, quoteLiteral } from '#contract/ddl/sql-text'
import { notOfExtension } from './catalog/reading.ts'
import type { Session } from './connections.ts'

export type Table = {
  schema: string
  name: string
  /** Without those that the database computes. */
  columns: string[]
  /** Of the primary key, in its order; empty without one. */
  key: string[]
  key_types: string[]
}

const keyColumns = (what: string) => `array(select ${what} from pg_index i
    cross join unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = c.oid and i.indisprimary and k.place <= i.indnkeyatts order by k.place)`

const tablesSql = `
  select n.nspname as schema, c.relname as name,
    array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '' order by a.attnum) as columns,
    ${keyColumns('a.attname::text')} as key, ${keyColumns('format_type(a.atttypid, a.atttypmod)')} as key_types
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname = any ($1::text[]) and ${notOfExtension('pg_class', 'c.oid')}
  order by n.nspname, c.relname
`

/** Tables that hold rows themselves, partitions among them. */
export const readTables = async (source: Session, schemas: readonly string[]) =>
  (await source.query<Table>(tablesSql, [schemas])).rows

export const tableSql = ({ schema, name }: Pick<Table, 'schema' | 'name'>) =>
  `${quoteIdent(schema)}.${quoteIdent(name)}`

const list = (names: readonly string[]) => names.map(quoteIdent).join(', ')
const tuple = (parts: readonly string[]) => `(${parts.join(', ')})`

/** Rows after one key, up to another one that belongs to them. COPY takes no parameters. */
function within(table: Table, after: readonly string[] | null, upTo: readonly string[] | null) {
  const bound = (key: readonly string[]) =>
    tuple(key.map((value, at) => `${quoteLiteral(value)}::${table.key_types[at] ?? 'text'}`))
  const columns = tuple(table.key.map(quoteIdent))
  const conditions = [
    ...(after === null ? [] : [`${columns} > ${bound(after)}`]),
    ...(upTo === null ? [] : [`${columns} <= ${bound(upTo)}`]),
  ]
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
}

/** The key of the row that many rows after another one; undefined when there are not so many. */
export async function keyAhead(
  source: Session,
  table: Table,
  after: readonly string[] | null,
  rows: number,
): Promise<string[] | undefined> {
  if (table.key.length === 0) return undefined
  const key = `array[${table.key.map((name) => `${quoteIdent(name)}::text`).join(', ')}]`
  const text = `select ${key} as key from only ${tableSql(table)}${within(table, after, null)} order by ${list(table.key)} offset ${rows - 1} limit 1`
  return (await source.query<{ key: string[] }>(text)).rows[0]?.key
}

export const copyOutSql = (
  table: Table,
  after: readonly string[] | null,
  upTo: readonly string[] | null,
) =>
  `copy (select ${list(table.columns)} from only ${tableSql(table)}${within(table, after, upTo)}) to stdout`

export const copyInSql = (table: Table) =>
  `copy ${tableSql(table)} (${list(table.columns)}) from stdin`

/** Triggers and foreign keys were obeyed where the rows come from; here they would act a second time. */
export const withoutTriggers = 'set local session_replication_role = replica'

export async function countRows(db: Session, table: Table): Promise<number> {
  const text = `select count(*)::float8 as rows from only ${tableSql(table)}`
  return (await db.query<{ rows: number }>(text)).rows[0]?.rows ?? 0
}

/** Whether there is such a table, and anything in it. */
export async function targetTable(
  target: Session,
  table: Table,
): Promise<'absent' | 'empty' | 'filled'> {
  const there = await target.query<{ yes: boolean }>(`select to_regclass($1) is not null as yes`, [
    tableSql(table),
  ])
  if (there.rows[0]?.yes !== true) return 'absent'
  const text = `select exists (select from only ${tableSql(table)}) as yes`
  return (await target.query<{ yes: boolean }>(text)).rows[0]?.yes === true ? 'filled' : 'empty'
}

export async function snapshotOf(source: Session): Promise<string> {
  const { rows } = await source.query<{ id: string }>(`select pg_export_snapshot() as id`)
  return rows[0]?.id ?? ''
}

const sequencesSql = `
  select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'S' and n.nspname = any ($1::text[]) and ${notOfExtension('pg_class', 'c.oid')}
  order by 1, 2
`
export type Sequence = { schema: string; name: string }
export const readSequences = async (source: Session, schemas: readonly string[]) =>
  (await source.query<Sequence>(sequencesSql, [schemas])).rows

export type SequenceValue = { last_value: string; is_called: boolean }

export async function sequenceValue(
  source: Session,
  sequence: Sequence,
): Promise<SequenceValue | undefined> {
  const text = `select last_value::text, is_called from ${tableSql(sequence)}`
  return (await source.query<SequenceValue>(text)).rows[0]
}

export async function setSequence(
  target: Session,
  sequence: Sequence,
  value: SequenceValue,
): Promise<void> {
  await target.query(`select setval($1::regclass, $2::bigint, $3)`, [
    tableSql(sequence),
    value.last_value,
    value.is_called,
  ])
}
