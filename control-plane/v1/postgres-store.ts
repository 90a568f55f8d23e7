import { quoteIdent, quoteLiteral } from '#contract/ddl/sql-text'
import type { Output } from '#contract/endpoint'
import { postgresParameters, type v1Postgres } from '#contract/v1/v1-postgres'

type Login = 'postgres' | 'plinth_read_only'
export type RunSql = (
  ref: string,
  sql: { query: string; parameters?: readonly unknown[]; login: Login },
) => Promise<Record<string, unknown>[]>

const readSql = `select current_database()::text as database, coalesce(
  (select json_object_agg(split_part(line, '=', 1), substr(line, strpos(line, '=') + 1))
    from pg_db_role_setting d cross join unnest(d.setconfig) as line
    where d.setrole = 0 and d.setdatabase = (select oid from pg_database where datname = current_database())
      and split_part(line, '=', 1) = any($1::text[])), '{}') as settings`

const schemasSql = `select current_database()::text as database, nspname::text as schema from pg_namespace
  where nspname not like 'pg\\_%' and nspname <> 'information_schema' order by nspname`

const iso = (column: string) =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`
const bucketsSql = `select id, name, coalesce(owner_id, owner::text, '') as owner, public, ${iso('created_at')}, ${iso('updated_at')}
  from storage.buckets order by name`

/** What a project's database says of itself, and the parameters that are set for it. */
export const postgresStore = (runSql: RunSql) => ({
  async read(ref: string) {
    const sql = { query: readSql, parameters: [postgresParameters] }
    const [row] = await runSql(ref, { ...sql, login: 'plinth_read_only' })
    // The query gives one row of this shape.
    return row as { database: string; settings: Record<string, string> }
  },

  /** `undefined` takes a parameter back, to what the server has. */
  async set(
    ref: string,
    database: string,
    values: readonly [string, string | number | undefined][],
  ) {
    const change = `alter database ${quoteIdent(database)}`
    const query = values
      .map(([name, value]) =>
        value === undefined
          ? `${change} reset ${quoteIdent(name)}`
          : `${change} set ${quoteIdent(name)} = ${quoteLiteral(String(value))}`,
      )
      .join(';\n')
    await runSql(ref, { query, login: 'postgres' })
  },

  async schemas(ref: string) {
    const rows = await runSql(ref, { query: schemasSql, login: 'plinth_read_only' })
    // Every row has these two, both text.
    return rows as { database: string; schema: string }[]
  },

  async buckets(ref: string) {
    const rows = await runSql(ref, { query: bucketsSql, login: 'postgres' })
    // Every row has these, and none of them can be null.
    return rows as Output<typeof v1Postgres.buckets>
  },
})
export type PostgresStore = ReturnType<typeof postgresStore>
