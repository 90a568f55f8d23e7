import { offeredParameters } from '#contract/database/database-parameters'
import type { DatabaseServer, Parameter } from '#contract/database/database-server'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'

const serverRow = `
  select current_database() as database,
    (select pg_get_userbyid(d.datdba) from pg_database d where d.datname = current_database()) as owner,
    current_setting('server_version') as version,
    (select rolsuper from pg_roles where rolname = current_user) as is_superuser,
    current_setting('ssl')::boolean as ssl,
    coalesce((select s.ssl from pg_stat_ssl s where s.pid = pg_backend_pid()), false) as ssl_in_use,
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
    current_setting('max_connections')::int as max_connections,
    (current_setting('superuser_reserved_connections')::int + current_setting('reserved_connections')::int)
      as reserved_connections
`

/**
 * A setting of a role counts here when it is for this database or for all of them; the one for this database comes first, and any of
 * a role comes before that of the database (ALTER ROLE, "Notes"). This session has signed in as somebody else than people do.
 */
const parameterRows = `
  with own as (
    select s.setdatabase, s.setrole, split_part(c, '=', 1) as name, substr(c, strpos(c, '=') + 1) as value
    from pg_db_role_setting s, unnest(s.setconfig) c
    where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
  )
  select *, coalesce(role_value, database_value, server_value) as setting from (
  select p.name, p.unit, p.vartype, p.min_val as min, p.max_val as max,
    coalesce(p.enumvals, '{}') as choices, p.context,
    (select o.value from own o join pg_roles r on r.oid = o.setrole
      where r.rolname = 'postgres' and o.name = p.name order by o.setdatabase = 0 limit 1) as role_value,
    case when p.source in ('database', 'user', 'database user', 'session', 'client') then p.boot_val
      else p.setting end as server_value,
    (select o.value from own o where o.setrole = 0 and o.setdatabase <> 0 and o.name = p.name) as database_value,
    coalesce((
      select jsonb_agg(jsonb_build_object('role', r.rolname, 'value', o.value) order by r.rolname)
      from own o join pg_roles r on r.oid = o.setrole where o.name = p.name
    ), '[]') as roles,
    p.pending_restart,
    me.rolsuper and p.context in ('user', 'superuser', 'backend', 'superuser-backend')
      or p.context = 'user' and pg_has_role(d.datdba, 'USAGE')
      or has_parameter_privilege(p.name, 'SET') and pg_has_role(d.datdba, 'USAGE') as may_set
  from pg_settings p
  join pg_roles me on me.rolname = current_user
  join pg_database d on d.datname = current_database()
  where p.name = any ($1)
  ) parameter
  order by array_position($1, name)
`

export async function getServer(db: Queryable): Promise<DatabaseServer> {
  const [server] = await rowsOf<Omit<DatabaseServer, 'parameters'>>(db, serverRow, [])
  if (!server) throw new Error('A select of constants has no row')
  const names = offeredParameters.map(({ name }) => name)
  return { ...server, parameters: await rowsOf<Parameter>(db, parameterRows, [names]) }
}
