import type { Client } from '#kit/postgres/client'
import {
  catalogGrants,
  eventTriggers,
  parameterGrants,
  recordsTable,
  roleSettings,
  superuser,
} from './expected-roles.ts'

/** Of each kind. */
const max = 200

/**
 * What only a superuser can have changed besides roles: objects of theirs, settings of logins that the customer cannot act as, rights
 * on the catalogue and on settings of the server, languages that anybody may write functions in. Rows of the catalogue alone are read.
 */
const look = `(select 'relation' as kind, pg_catalog.format('%I.%I', n.nspname, c.relname) as name, o.rolname::text as of
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_authid o on o.oid = c.relowner
  where c.oid >= 16384 and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    and pg_catalog.format('%s.%s', n.nspname, c.relname) <> $4
    and (o.rolname = $1 or n.nspname = 'auth' and o.rolname <> 'supabase_auth_admin')
    and not exists (select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
      and d.objid = c.oid and d.deptype = 'e')
  order by c.oid desc limit ${max})
union all
(select 'event trigger', e.evtname, case e.evtenabled when 'D' then 'off' else o.rolname::text end
  from pg_catalog.pg_event_trigger e join pg_catalog.pg_authid o on o.oid = e.evtowner limit ${max})
union all
(select 'setting', r.rolname, s.line
  from pg_catalog.pg_db_role_setting g
  join pg_catalog.pg_authid r on r.oid = g.setrole
  cross join lateral pg_catalog.unnest(g.setconfig) s(line)
  where r.rolname = any ($2::name[]) limit ${max})
union all
(select 'catalogue', a.name, coalesce(r.rolname::text, 'everybody')
  from (select c.oid::pg_catalog.regclass::text as name, x.grantee from pg_catalog.pg_class c
      cross join lateral pg_catalog.aclexplode(c.relacl) x
      where c.relname = any ($3::name[]) and c.relnamespace = 'pg_catalog'::pg_catalog.regnamespace and x.grantee <> c.relowner
    union all
    select f.oid::pg_catalog.regprocedure::text, x.grantee from pg_catalog.pg_proc f
      left join pg_catalog.pg_init_privs i on i.objoid = f.oid and i.classoid = 'pg_catalog.pg_proc'::pg_catalog.regclass
      cross join lateral pg_catalog.aclexplode(f.proacl) x
      where f.oid < 16384 and f.proacl is distinct from i.initprivs and x.grantee <> f.proowner
        and not exists (select from pg_catalog.aclexplode(i.initprivs) y where y.grantee = x.grantee)) a
  left join pg_catalog.pg_authid r on r.oid = a.grantee limit ${max})
union all
(select 'parameter', p.parname, coalesce(r.rolname::text, 'everybody')
  from pg_catalog.pg_parameter_acl p
  cross join lateral pg_catalog.aclexplode(p.paracl) x
  left join pg_catalog.pg_authid r on r.oid = x.grantee
  where coalesce(r.rolname::text, '') <> $1 limit ${max})
union all
(select 'language', l.lanname, '' from pg_catalog.pg_language l
  where l.lanname in ('c', 'internal') and l.lanpltrusted)`

type Row = {
  kind: 'relation' | 'event trigger' | 'setting' | 'catalogue' | 'parameter' | 'language'
  name: string
  of: string
}

function wordsOf({ kind, name, of }: Row): string | undefined {
  switch (kind) {
    case 'relation':
      return `${name} belongs to "${of}"`
    case 'event trigger': {
      const ours = eventTriggers.includes(name)
      if (ours && of === superuser) return undefined
      return of === 'off' && ours
        ? `the event trigger "${name}" is switched off`
        : `there is an event trigger "${name}"`
    }
    case 'setting':
      return roleSettings[name]?.includes(of) === true
        ? undefined
        : `"${name}" has the setting ${of}`
    case 'catalogue':
      return `"${of}" has rights on ${name}`
    case 'parameter':
      return of === 'postgres' && parameterGrants.test(name) ? undefined : `"${of}" may set ${name}`
    case 'language':
      return `everybody may write functions in the language ${name}`
  }
}

/** In words for the operator. */
export async function catalogFindings(client: Client): Promise<string[]> {
  const { rows } = await client.query<Row>(look, [
    superuser,
    Object.keys(roleSettings),
    catalogGrants,
    `${recordsTable.schema}.${recordsTable.name}`,
  ])
  return rows.flatMap((row) => wordsOf(row) ?? [])
}
