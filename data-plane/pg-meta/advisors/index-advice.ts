import { DatabaseError, type PoolClient } from 'pg'
import type { IndexAdvice } from '#contract/observability/query-performance'
import { ident, qualified } from '#contract/ddl/sql-text'
import { candidatesFor, scopesOf, type QueryScope, type TableUse } from './index-candidates.ts'
import { rowsOf } from '../scope.ts'
import { explain, plannable, rolledBack, usesIndex } from './statement-plan.ts'

type Table = {
  oid: number
  schema: string
  name: string
  bytes: number
  columns: string[]
  /** The columns that each of its indexes begins with. */
  indexed: string[][]
}
type Candidate = { table: Table; columns: string[] }

/** Building an index keeps writers out of the table, so a large one is not tried. In bytes. */
const largestTried = 256 * 1024 * 1024
const maxTried = 8
/** An index that saves less than this part of the cost is not worth its upkeep. */
const leastGain = 0.1
const trialName = 'plinth_index_on_trial'
const timeoutSql = "set local statement_timeout = '3s'; set local lock_timeout = '300ms'"

const lookUp = `
  select c.oid::int8::float8 as oid, n.nspname as schema, c.relname as name, pg_relation_size(c.oid)::float8 as bytes,
    array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    coalesce((select jsonb_agg(cols.names) from pg_index i cross join lateral (
      select jsonb_agg(a.attname order by u.place) as names from unnest(i.indkey::int2[]) with ordinality u (num, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = u.num) cols
      where i.indrelid = c.oid and i.indpred is null and i.indexprs is null and i.indisvalid), '[]') as indexed
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = to_regclass($1) and c.relkind in ('r', 'm')
    and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
`

const tableOf = async (db: PoolClient, { schema, name }: TableUse): Promise<Table | undefined> => {
  const address = schema === undefined ? ident(name) : qualified(schema, name)
  return (await rowsOf<Table>(db, lookUp, [address]))[0]
}

async function candidatesOf(db: PoolClient, scopes: QueryScope[]): Promise<Candidate[]> {
  const found = new Map<string, Candidate>()
  for (const scope of scopes)
    for (const use of scope.tables) {
      const table = await tableOf(db, use)
      if (!table) continue
      const known = { alias: use.alias, columns: new Set(table.columns) }
      for (const columns of candidatesFor(known, scope)) {
        const isThere = table.indexed.some((names) =>
          columns.every((name, at) => names[at] === name),
        )
        if (!isThere) found.set(JSON.stringify([table.oid, columns]), { table, columns })
      }
    }
  return [...found.values()]
}

const mebibytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`
const sizeOf = 'select pg_relation_size(to_regclass($1))::float8 as size'

/** Builds the index, asks for the plan again and takes the index back. Undefined: it does not help. */
async function tryOut(
  db: PoolClient,
  query: string,
  { table, columns }: Candidate,
  before: number,
): Promise<IndexAdvice | undefined> {
  const place = { schema: table.schema, table: table.name, columns }
  const untried = (reason: string) => ({
    ...place,
    before: null,
    after: null,
    size: null,
    untried: reason,
  })
  if (table.bytes > largestTried)
    return untried(
      `The table has ${mebibytes(table.bytes)}: trying an index out would keep writers waiting`,
    )
  const create = `create index ${trialName} on ${qualified(table.schema, table.name)} (${columns.map(ident).join(', ')})`
  await db.query('savepoint trial')
  try {
    await db.query(create)
    const { cost, plan } = await explain(db, query)
    if (!usesIndex(plan, trialName) || cost > before * (1 - leastGain)) return undefined
    const address = qualified(table.schema, trialName)
    const [measured] = await rowsOf<{ size: number }>(db, sizeOf, [address])
    return { ...place, before, after: cost, size: measured?.size ?? null, untried: null }
  } catch (error) {
    // Somebody else holds the table, it is not ours, or its type takes no such index: said, and on to the next.
    if (!(error instanceof DatabaseError)) throw error
    return error.code === '42704' ? undefined : untried(error.message)
  } finally {
    await db.query('rollback to savepoint trial')
  }
}

/** Indexes that make the statement cheaper, the best first; each was built and rolled back, or says why not. */
export async function adviseIndexes(db: PoolClient, { query }: { query: string }) {
  const tree = await plannable(query)
  return rolledBack(db, 'begin', async () => {
    await db.query(timeoutSql)
    const { cost } = await explain(db, query)
    const indexes: IndexAdvice[] = []
    for (const candidate of (await candidatesOf(db, scopesOf(tree))).slice(0, maxTried)) {
      const advice = await tryOut(db, query, candidate, cost)
      if (advice) indexes.push(advice)
    }
    return { cost, indexes: worthwhile(indexes) }
  })
}

/** Of two on one table with the same cost the narrower one. */
function worthwhile(indexes: IndexAdvice[]): IndexAdvice[] {
  const costOf = ({ after }: IndexAdvice) => after ?? Number.POSITIVE_INFINITY
  const sorted = indexes.toSorted(
    (a, b) => costOf(a) - costOf(b) || a.columns.length - b.columns.length,
  )
  return sorted.filter(
    (one, at) =>
      one.after === null ||
      !sorted
        .slice(0, at)
        .some(
          (better) =>
            better.table === one.table && better.schema === one.schema && better.after !== null,
        ),
  )
}
