import type { NewTables } from '#contract/data-api/data-api'
import { quoteIdent, quoteLiteral } from '#contract/ddl/sql-text'

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

export type Grants = { newTables: NewTables; schemas: readonly string[] }

const role = 'authenticator'
const prefix = 'pgrst.'

/** Those of the role first, then those of the role in this database, which win. */
const readSql = `select current_database()::text as database, current_setting('max_connections')::int as connections,
  (select json_agg(json_build_object('name', split_part(line, '=', 1), 'value', substr(line, strpos(line, '=') + 1))
      order by d.setdatabase)
    from pg_db_role_setting d cross join unnest(d.setconfig) as line
    where d.setrole = to_regrole('${role}') and line like '${prefix}%'
      and d.setdatabase in (0, (select oid from pg_database where datname = current_database()))) as settings,
  exists (select from pg_default_acl d cross join aclexplode(d.defaclacl) x
    where d.defaclobjtype = 'r' and d.defaclrole = to_regrole('postgres')
      and x.grantee in (to_regrole('anon'), to_regrole('authenticated'))) as granted`

const missingSql = `select name from unnest($1::text[]) as name
  where not exists (select from pg_namespace where nspname = name)`

/** What the database of a project says of its data API, in the same words in which people say it with SQL. */
export const settingsStore = (runSql: RunSql) => ({
  /** `granted`: new tables are granted to anon or authenticated by default privileges. */
  async read(ref: string) {
    const [row] = await runSql(ref, { query: readSql, login: 'plinth_read_only' })
    // The query gives one row, and its list in this shape.
    const found = row as {
      database: string
      connections: number
      granted: boolean
      settings: { name: string; value: string }[] | null
    }
    const settings = new Map(
      (found.settings ?? []).map(({ name, value }) => [name.slice(prefix.length), value]),
    )
    return { ...found, settings }
  },

  /** Of these names, those that no schema has. */
  async missingSchemas(ref: string, names: readonly string[]): Promise<string[]> {
    const sql = { query: missingSql, parameters: [names], login: 'plinth_read_only' } as const
    return (await runSql(ref, sql)).map(({ name }) => String(name))
  },

  /** What new tables of these schemas are granted; what is there already stays as it is. */
  async grantSql(ref: string, { newTables, schemas }: Grants): Promise<string[]> {
    const missing = schemas.length > 0 ? await this.missingSchemas(ref, schemas) : []
    const there = schemas.filter((name) => !missing.includes(name))
    return there.flatMap((name) =>
      ['tables', 'sequences'].map((objects) => {
        const what =
          newTables === 'granted'
            ? `grant all on ${objects} to anon, authenticated`
            : `revoke all on ${objects} from anon, authenticated`
        return `alter default privileges in schema ${quoteIdent(name)} ${what}`
      }),
    )
  },

  /** For the role in every database, so nothing that was said for this one alone may hide it. All or nothing. */
  async write(
    ref: string,
    database: string,
    changes: OwnSettings,
    grants: Grants | undefined,
  ): Promise<void> {
    const here = `alter role ${role} in database ${quoteIdent(database)}`
    const statements = [...changes].flatMap(([name, value]) => [
      value === null
        ? `alter role ${role} reset ${prefix}${name}`
        : `alter role ${role} set ${prefix}${name} = ${quoteLiteral(value)}`,
      `${here} reset ${prefix}${name}`,
    ])
    if (grants) statements.push(...(await this.grantSql(ref, grants)))
    const query = [...statements, `notify pgrst, 'reload config'`].join(';\n')
    await runSql(ref, { query, login: 'postgres' })
  },
})
export type SettingsStore = ReturnType<typeof settingsStore>
