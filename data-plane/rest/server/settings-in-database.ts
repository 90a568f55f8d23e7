import type { Log } from '#kit/log'
import { quoteIdent } from '#contract/ddl/sql-text'
import { arrayLiteral } from '../query/array-literal.ts'
import { catalogRole, type Database } from '../database.ts'
import { optionPrefix } from '../catalog/read-catalog.ts'
import type { SettingValues } from './server-settings.ts'
import { settingTable } from './setting-table.ts'
import { qualified } from '../sql/sql-parts.ts'

/** What a database can say itself, by the names it has there: `db_schemas`. */
const names = Object.keys(settingTable)
  .filter((name) => settingTable[name]?.inDatabase)
  .map((name) => name.replaceAll('-', '_'))

/** $1: the names. What an earlier session start knew is out of date, so nothing is set when the function begins. */
const forgetSql = `select count(set_config('${optionPrefix}' || name, '', true)) from unnest($1::text[]) as name`
const setSql = `select name, current_setting('${optionPrefix}' || name, true) from unnest($1::text[]) as name`
/** Settings of the login, those for this database last, which win. */
export const ownSql = `select substr(split_part(line, '=', 1), ${optionPrefix.length + 1}), substr(line, strpos(line, '=') + 1)
  from pg_db_role_setting d cross join unnest(d.setconfig) as line
  where d.setrole = (select oid from pg_roles where rolname = session_user) and line like '${optionPrefix}%'
    and d.setdatabase in (0, (select oid from pg_database where datname = current_database()))
  order by d.setdatabase`

/**
 * The settings that the database itself has: those of the login, and above them those that the function `preConfig`
 * makes, as `pgrst.` settings of its transaction.
 */
export async function settingsInDatabase(
  database: Database,
  preConfig: string | undefined,
  log: Log,
): Promise<SettingValues> {
  const all = [arrayLiteral(names)]
  const results = await database.run(catalogRole, {
    statements: [
      { text: ownSql, values: [] },
      ...(preConfig === undefined
        ? []
        : [
            { text: forgetSql, values: all },
            { text: `select ${functionNamed(preConfig)}()`, values: [] },
            { text: setSql, values: all },
          ]),
    ],
  })
  const [own = []] = results
  const values = new Map<string, string>()
  for (const [name = null, value = null] of [...own, ...(preConfig ? (results[3] ?? []) : [])]) {
    if (name === null || value === null || value === '') continue
    // Whoever may set it need not be who may read files here.
    const isFile = name === 'jwt_secret' && value.startsWith('@')
    if (names.includes(name) && !isFile) values.set(name.replaceAll('_', '-'), value)
    else
      log.warn(
        { setting: `${optionPrefix}${name}` },
        'The database has a setting that cannot be used',
      )
  }
  return values
}

function functionNamed(name: string): string {
  const dot = name.indexOf('.')
  if (dot < 0) return quoteIdent(name)
  return qualified({ schema: name.slice(0, dot), name: name.slice(dot + 1) })
}
