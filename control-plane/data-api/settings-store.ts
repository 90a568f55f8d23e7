import { quoteIdent, quoteLiteral } from '#contract/ddl/sql-text'
import type { Tx, Db } from '../database/database.ts'

type RunSql = (
  ref: string,
  sql: {
    query: string
    parameters?: readonly unknown[]
    login: 'postgres' | 'plinth_read_only'
  },
) => Promise<Record<string, unknown>[]>

/** Settings by their names behind `pgrst.`, as text; null is to be reset. */
export type OwnSettings = Map<string, string | null>

const role = 'authenticator'
const prefix = 'pgrst.'

/** Those of the role first, then those of the role in this database, which win. */
const readSql = `select current_database()::text as database, current_setting('max_connections')::int as connections,
  (select json_agg(json_build_object('name', split_part(line, '=', 1), 'value', substr(line, strpos(line, '=') + 1))
      order by d.setdatabase)
    from pg_db_role_setting d cross join unnest(d.setconfig) as line
    where d.setrole = to_regrole('${role}') and line like '${prefix}%'
      and d.setdatabase in (0, (select oid from pg_database where datname = current_database()))) as settings`

const missingSql = `select name from unnest($1::text[]) as name
  where not exists (select from pg_namespace where nspname = name)`

/** What the database of a project says of its data API, in the same words in which people say it with SQL. */
export const settingsStore = (db: Db, runSql: RunSql) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

  /** Two who change settings do it one after the other. */
  lock: (tx: Tx, ref: string) =>
    tx
      .selectFrom('platform.projects')
      .select(['organization_id'])
      .where('ref', '=', ref)
      .where('status', '<>', 'REMOVED')
      .forNoKeyUpdate()
      .executeTakeFirst(),

  async read(ref: string) {
    const [row] = await runSql(ref, { query: readSql, login: 'plinth_read_only' })
    // The query gives one row, and its list in this shape.
    const found = row as {
      database: string
      connections: number
      settings: { name: string; value: string }[] | null
    }
    const settings = new Map(
      (found.settings ?? []).map(({ name, value }) => [name.slice(prefix.length), value]),
    )
    return { database: found.database, connections: found.connections, settings }
  },

  /** Of these names, those that no schema has. */
  async missingSchemas(ref: string, names: readonly string[]): Promise<string[]> {
    const sql = { query: missingSql, parameters: [names], login: 'plinth_read_only' } as const
    return (await runSql(ref, sql)).map(({ name }) => String(name))
  },

  /** For the role in every database, so nothing that was said for this one alone may hide it. All or nothing. */
  async write(ref: string, database: string, changes: OwnSettings): Promise<void> {
    const here = `alter role ${role} in database ${quoteIdent(database)}`
    const statements = [...changes].flatMap(([name, value]) => [
      value === null
        ? `alter role ${role} reset ${prefix}${name}`
        : `alter role ${role} set ${prefix}${name} = ${quoteLiteral(value)}`,
      `${here} reset ${prefix}${name}`,
    ])
    const query = [...statements, `notify pgrst, 'reload config'`].join(';\n')
    await runSql(ref, { query, login: 'postgres' })
  },
})
export type SettingsStore = ReturnType<typeof settingsStore>
