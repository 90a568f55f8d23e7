import type { Setting } from '#contract/database/database-tools'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'

const settingsSql = `
  select name, setting, category,
    split_part(category, ' / ', 1) as group, split_part(category, ' / ', 2) as subgroup,
    unit, short_desc, extra_desc, context, vartype, source, min_val, max_val, enumvals, boot_val, reset_val,
    sourcefile, sourceline, pending_restart
  from pg_settings order by category, name limit $1 offset $2
`

/** The server's parameters as they are for this login. */
export const listSettings = (
  db: Queryable,
  { limit, offset }: { limit?: number | undefined; offset: number },
): Promise<Setting[]> => rowsOf<Setting>(db, settingsSql, [limit ?? null, offset])

const versionSql = `
  select version() as version, current_setting('server_version_num')::int as version_number,
    (select count(*)::int from pg_stat_activity) as active_connections,
    current_setting('max_connections')::int as max_connections
`
type Version = {
  version: string
  version_number: number
  active_connections: number
  max_connections: number
}

export async function getVersion(db: Queryable): Promise<Version> {
  const [found] = await rowsOf<Version>(db, versionSql, [])
  if (!found) throw new Error('The server reported no version')
  return found
}

export async function getHealth(db: Queryable): Promise<{ date: string }> {
  const [now] = await rowsOf<{ date: Date }>(db, 'select now() as date', [])
  return { date: new Date(now?.date ?? Number.NaN).toISOString() }
}
