import { byItself, notOfExtension } from './reading.ts'

/** What is not brought over, and why; `$1` is the list of schemas, `$2` the roles of the target. */
export type Left = { kind: string; name: string; reason: string }

const inSchema = (catalog: string, alias: string, schema: string, name: string, more = '') => `
  select '${catalog.replace('pg_', '')}' as kind, format('%I.%I', n.nspname, ${alias}.${name}) as name
  from ${catalog} ${alias} join pg_namespace n on n.oid = ${alias}.${schema}
  where n.nspname = any ($1::text[]) and ${notOfExtension(catalog, `${alias}.oid`)} ${more}`

const statementOf = (kind: string, reason: string, rows: string) =>
  `select '${kind}' as kind, found.name, '${reason}' as reason from (${rows}) found`

const byHand = 'import does not read this kind of object; make it by hand'

const unread: readonly [kind: string, rows: string][] = [
  ['operator', inSchema('pg_operator', 'o', 'oprnamespace', 'oprname')],
  ['operator class', inSchema('pg_opclass', 'o', 'opcnamespace', 'opcname')],
  [
    'operator family',
    inSchema(
      'pg_opfamily',
      'o',
      'opfnamespace',
      'opfname',
      'and not exists (select from pg_opclass oc where oc.opcfamily = o.oid)',
    ),
  ],
  ['conversion', inSchema('pg_conversion', 'o', 'connamespace', 'conname')],
  ['text search configuration', inSchema('pg_ts_config', 'o', 'cfgnamespace', 'cfgname')],
  ['text search dictionary', inSchema('pg_ts_dict', 'o', 'dictnamespace', 'dictname')],
  ['text search parser', inSchema('pg_ts_parser', 'o', 'prsnamespace', 'prsname')],
  ['text search template', inSchema('pg_ts_template', 'o', 'tmplnamespace', 'tmplname')],
  [
    'aggregate',
    `select format('%I.%I', n.nspname, p.proname) as name from pg_aggregate a join pg_proc p on p.oid = a.aggfnoid
     join pg_namespace n on n.oid = p.pronamespace where (a.aggkind <> 'n' or a.aggsortop <> 0)
       and n.nspname = any ($1::text[]) and ${notOfExtension('pg_proc', 'p.oid')}`,
  ],
  [
    'foreign table',
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'f' and n.nspname = any ($1::text[]) and ${notOfExtension('pg_class', 'c.oid')}`,
  ],
  [
    'foreign server',
    `select quote_ident(s.srvname) as name from pg_foreign_server s where ${notOfExtension('pg_foreign_server', 's.oid')}`,
  ],
  [
    'base type',
    `select format('%I.%I', n.nspname, t.typname) as name from pg_type t join pg_namespace n on n.oid = t.typnamespace
     where t.typtype = 'b' and t.typelem = 0 and n.nspname = any ($1::text[]) and ${notOfExtension('pg_type', 't.oid')}`,
  ],
  [
    'cast',
    `select format('%s to %s', format_type(c.castsource, null), format_type(c.casttarget, null)) as name from pg_cast c
     where c.oid >= 16384 and ${notOfExtension('pg_cast', 'c.oid')} and ${byItself('pg_cast', 'c.oid')}`,
  ],
  [
    'language',
    `select quote_ident(l.lanname) as name from pg_language l where l.oid >= 16384 and ${notOfExtension('pg_language', 'l.oid')}`,
  ],
]

/** Services of the platform have theirs; what is the customer's calls a function of the customer. */
const eventTriggers = `select quote_ident(e.evtname) as name from pg_event_trigger e
  join pg_proc p on p.oid = e.evtfoid join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = any ($1::text[]) and ${notOfExtension('pg_event_trigger', 'e.oid')}`

const platformRole = `(r.rolname ~ '^(pg|supabase|plinth)_' or r.rolname in ('anon', 'authenticated', 'authenticator',
  'dashboard_user', 'pgbouncer', 'pgsodium_keyholder', 'pgsodium_keyiduser', 'pgsodium_keymaker', 'postgres', 'service_role',
  'pgtle_admin') or r.rolname ~ '^authenticator_' or r.rolname ~ '^cli_login_')`

const roles = `select quote_ident(r.rolname) as name from pg_roles r
  where not ${platformRole} and not r.rolname = any ($2::text[])`

/** What an owner has made in a schema of a service; the services' own roles own the rest. */
const inServices = `select format('%s %s', o.type, o.identity) as name from (
    select 'pg_catalog.pg_proc'::regclass as class, p.oid, p.pronamespace as schema, p.proowner as owner from pg_proc p
    union all select 'pg_catalog.pg_class'::regclass, c.oid, c.relnamespace, c.relowner from pg_class c where c.relkind in ('r', 'p', 'v', 'm')
  ) made join pg_namespace n on n.oid = made.schema join pg_roles r on r.oid = made.owner
  cross join lateral pg_identify_object(made.class, made.oid, 0) o
  where n.nspname in ('auth', 'storage', 'realtime', 'extensions') and r.rolname = 'postgres'
    and not exists (select from pg_depend x where x.classid = made.class and x.objid = made.oid and x.deptype = 'e')`

const settings = `select concat_ws(' in ', coalesce(r.rolname, 'every role'), d.datname) || ': ' || split_part(line, '=', 1) as name
  from pg_db_role_setting s left join pg_roles r on r.oid = s.setrole left join pg_database d on d.oid = s.setdatabase
  cross join unnest(s.setconfig) as line
  where (s.setdatabase = 0 or d.datname = current_database()) and (r.rolname is null or r.rolname in ('authenticator', 'anon', 'authenticated', 'service_role'))
    and (s.setrole <> 0 or d.datname is not null) and (r.rolname is null or line like 'pgrst.%')
    and split_part(line, '=', 1) not in ('search_path', 'app.settings.jwt_secret', 'app.settings.jwt_exp', 'pgrst.new_tables')`

const defaultsInPublic = `select distinct format('%s of %I', case a.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences'
    when 'f' then 'functions' when 'T' then 'types' else 'schemas' end, r.rolname) as name
  from pg_default_acl a join pg_roles r on r.oid = a.defaclrole left join pg_namespace n on n.oid = a.defaclnamespace
  where (a.defaclnamespace = 0 or n.nspname = any ($1::text[])) and not ${platformRole}`

export const leftSql = [
  ...unread.map(([kind, rows]) => statementOf(kind, byHand, rows)),
  statementOf(
    'event trigger',
    'only a superuser may make one in the Postgres of a project',
    eventTriggers,
  ),
  statementOf(
    'role',
    'roles stay where they are, with their passwords; make it here and grant it what it needs',
    roles,
  ),
  statementOf(
    'object in a service schema',
    'schemas of services belong to the platform',
    inServices,
  ),
  statementOf('setting', 'set it for the target if it is still wanted', settings),
  statementOf('default grants', 'roles stay where they are', defaultsInPublic),
  statementOf(
    'subscription',
    'a project subscribes to no other server',
    'select quote_ident(s.subname) as name from pg_stat_subscription s where s.subname is not null',
  ),
].join('\nunion all\n')

/** Things that are known by rows of a table that may not be there. */
export const rowsLeft: readonly (Left & { table: string; text: string })[] = [
  {
    kind: 'vault secret',
    table: 'vault.secrets',
    name: '',
    text: `select coalesce(name, id::text) as name from vault.secrets order by 1`,
    reason:
      'secrets of the vault are sealed with a key of the source; add it to the vault of the project',
  },
  {
    kind: 'cron job',
    table: 'cron.job',
    name: '',
    text: `select coalesce(jobname, jobid::text) as name from cron.job order by 1`,
    reason: 'cron jobs are not imported; enable pg_cron in the project and schedule it there',
  },
  {
    kind: 'large object',
    table: 'pg_catalog.pg_largeobject_metadata',
    name: '',
    text: `select oid::text as name from pg_catalog.pg_largeobject_metadata order by oid limit 1000`,
    reason: 'large objects are not read; keep files in storage',
  },
]
