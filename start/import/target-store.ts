import { randomInt } from 'node:crypto'
import { RefusedError } from '../manage/manage-client.ts'
import { serviceSchemas } from './catalog/reading.ts'
import type { Session } from './connections.ts'
import { sameSettings } from './source-store.ts'

/** Bodies of functions may name what comes later. */
export async function openTarget(db: Session): Promise<{ version: number; roles: string[] }> {
  await db.query(sameSettings)
  await db.query(`select set_config('check_function_bodies', 'off', false)`)
  const { rows } = await db.query<{ version: number; roles: string[]; superuser: boolean }>(
    `select current_setting('server_version_num')::int as version, r.rolsuper as superuser,
       array(select rolname::text from pg_roles) as roles
     from pg_roles r where r.rolname = current_user`,
  )
  const [found] = rows
  // What a stranger's schema says is never carried out by somebody who may do everything.
  if (!found || found.superuser)
    throw new RefusedError('the target must be entered as postgres, not as a superuser')
  return found
}

/** Both sessions see the lock only when they are in the same database, whatever its addresses are. */
export async function isSameDatabase(source: Session, target: Session): Promise<boolean> {
  const [high, low] = [randomInt(2 ** 31), randomInt(2 ** 31)]
  await target.query(`select pg_advisory_lock($1::int, $2::int)`, [high, low])
  const { rows } = await source.query<{ yes: boolean }>(
    `select exists (select from pg_locks l join pg_database d on d.oid = l.database where l.locktype = 'advisory'
       and l.classid = $1::bigint::oid and l.objid = $2::bigint::oid and l.objsubid = 2 and d.datname = current_database()) as yes`,
    [high, low],
  )
  await target.query(`select pg_advisory_unlock($1::int, $2::int)`, [high, low])
  return rows[0]?.yes === true
}

const contents = `
  select (select count(*)::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and n.nspname <> all ($1::text[]) and n.nspname !~ '^pg_'
        and not exists (select from pg_depend x where x.classid = 'pg_catalog.pg_class'::regclass and x.objid = c.oid and x.deptype in ('e', 'i'))) as tables,
    (select count(*)::int from auth.users) as users, (select count(*)::int from storage.buckets) as buckets`

/** What the target has already, in words; undefined when it is as new. */
export async function contentsOf(db: Session): Promise<string | undefined> {
  const { rows } = await db.query<Record<'tables' | 'users' | 'buckets', number>>(contents, [
    serviceSchemas,
  ])
  const { tables, users, buckets } = rows[0] ?? { tables: 0, users: 0, buckets: 0 }
  if (tables + users + buckets === 0) return undefined
  return [
    [tables, 'tables, views and sequences'],
    [users, 'users'],
    [buckets, 'buckets'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ')
}

export async function extensionsHere(db: Session) {
  const { rows } = await db.query<{ name: string; installed: boolean }>(
    `select name, installed_version is not null as installed from pg_available_extensions`,
  )
  return new Map(rows.map(({ name, installed }) => [name, installed]))
}
