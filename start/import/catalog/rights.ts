import { byItself, notOfExtension, ofSchemas, ofSchemasAndRoles, relation } from './reading.ts'

/** Roles that requests come in as: what a new object grants them by itself is taken back before the source's grants. */
const askers = 'public, anon, authenticated, service_role'

/** Grants of an access list to roles that the target has. Whoever owned a thing there, here `postgres` owns it. */
const grants = (acl: string, owner: string, what: string, columns = '') => `
  array(select format('grant %s on ${what} to %s%s', string_agg(e.privilege_type${columns}, ', ' order by e.privilege_type), e.who_sql,
      case when e.is_grantable then ' with grant option' end)
    from (select x.privilege_type, x.is_grantable, case when x.grantee = 0 then 'public' else quote_ident(r.rolname) end as who_sql
      from aclexplode(${acl}) x left join pg_roles r on r.oid = x.grantee
      where x.grantee <> ${owner} and (x.grantee = 0 or (r.rolname = any ($2::text[]) and r.rolname <> 'postgres'))) e
    group by e.who_sql, e.is_grantable order by e.who_sql)`

/** The format strings hold one more format, since names go into them: quoted here, so that a % of a name stays one. */
const named = (word: string, name: string) => `${word} ' || replace(${name}, '%', '%%') || '`

const tableName = `format('%I.%I', n.nspname, c.relname)`
const functionName = `format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid))`
const sorted = `case c.relkind when 'S' then 'sequence' else 'table' end`

export const relationGrants = ofSchemasAndRoles(`
  select 'grants' as kind, ${tableName} as name,
    array[format('revoke all on %s %s from ${askers}', ${sorted}, ${tableName})]
    || ${grants(`coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's'::"char" else 'r'::"char" end, c.relowner))`, 'c.relowner', named(`' || ${sorted} || '`, tableName))} as sql
  from ${relation}
  where c.relkind in ('r', 'p', 'v', 'm', 'S') and n.nspname = any ($1::text[]) and ${notOfExtension('pg_class', 'c.oid')}
  union all
  select 'column grants', format('%s.%I', ${tableName}, a.attname),
    ${grants('a.attacl', 'c.relowner', named('', tableName), ` || ' (' || quote_ident(a.attname) || ')'`)}
  from ${relation} join pg_attribute a on a.attrelid = c.oid
  where a.attacl is not null and not a.attisdropped and n.nspname = any ($1::text[]) and ${notOfExtension('pg_class', 'c.oid')}
`)

const routine = `case p.prokind when 'p' then 'procedure' else 'function' end`

export const functionGrants = ofSchemasAndRoles(`
  select 'grants' as kind, ${functionName} as name,
    array[format('revoke all on %s %s from ${askers}', ${routine}, ${functionName})]
    || ${grants(`coalesce(p.proacl, acldefault('f', p.proowner))`, 'p.proowner', named(`' || ${routine} || '`, functionName))} as sql
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = any ($1::text[]) and ${notOfExtension('pg_proc', 'p.oid')} and ${byItself('pg_proc', 'p.oid')}
`)

/** Types are everybody's unless somebody has said otherwise. */
export const schemaGrants = ofSchemasAndRoles(`
  select 'grants' as kind, 'schema ' || quote_ident(n.nspname) as name,
    array[format('revoke all on schema %I from ${askers}', n.nspname)]
    || ${grants(`coalesce(n.nspacl, acldefault('n', n.nspowner))`, 'n.nspowner', named('schema', 'quote_ident(n.nspname)'))} as sql
  from pg_namespace n where n.nspname = any ($1::text[])
  union all
  select 'grants', format('%s %I.%I', 'type', n.nspname, t.typname),
    array[format('revoke all on type %I.%I from ${askers}', n.nspname, t.typname)]
    || ${grants('t.typacl', 't.typowner', named('type', `format('%I.%I', n.nspname, t.typname)`))}
  from pg_type t join pg_namespace n on n.oid = t.typnamespace
  where t.typacl is not null and n.nspname = any ($1::text[]) and ${notOfExtension('pg_type', 't.oid')}
`)

const defaultsOf = `case a.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions' when 'T' then 'types' else 'schemas' end`

/** Of the customer's own schemas. What new tables of `public` grant is what the target's owner has chosen there. */
export const defaultGrants = ofSchemasAndRoles(`
  select 'default grants' as kind, format('%s in %I', ${defaultsOf}, n.nspname) as name,
    ${grants('a.defaclacl', 'a.defaclrole', `' || ${defaultsOf} || '`).replace(
      "format('grant %s",
      "format('alter default privileges for role postgres in schema ' || replace(quote_ident(n.nspname), '%', '%%') || ' grant %s",
    )} as sql
  from pg_default_acl a join pg_namespace n on n.oid = a.defaclnamespace join pg_roles o on o.oid = a.defaclrole
  where o.rolname = 'postgres' and n.nspname <> 'public' and n.nspname = any ($1::text[])
`)

const schemaOf = `case d.classoid
    when 'pg_catalog.pg_class'::regclass then (select relnamespace from pg_class where oid = d.objoid)
    when 'pg_catalog.pg_proc'::regclass then (select pronamespace from pg_proc where oid = d.objoid)
    when 'pg_catalog.pg_type'::regclass then (select typnamespace from pg_type where oid = d.objoid)
    when 'pg_catalog.pg_namespace'::regclass then d.objoid
    when 'pg_catalog.pg_constraint'::regclass then (select connamespace from pg_constraint where oid = d.objoid)
    when 'pg_catalog.pg_trigger'::regclass then (select relnamespace from pg_class c join pg_trigger t on t.tgrelid = c.oid where t.oid = d.objoid)
    when 'pg_catalog.pg_policy'::regclass then (select relnamespace from pg_class c join pg_policy p on p.polrelid = c.oid where p.oid = d.objoid)
    when 'pg_catalog.pg_rewrite'::regclass then (select relnamespace from pg_class c join pg_rewrite r on r.ev_class = c.oid where r.oid = d.objoid)
  end`

/** As Postgres names each thing; what is of an extension keeps the extension's words. */
export const comments = ofSchemas(`
  select 'comment' as kind, format('%s %s', o.type, o.identity) as name, array[format('comment on %s is %L',
    case when o.type like '% column' then 'column ' || o.identity
      when o.type = 'table constraint' then 'constraint ' || o.identity
      when o.type = 'domain constraint' then 'constraint ' || replace(o.identity, ' on ', ' on domain ')
      when o.type in ('composite type', 'domain') then 'type ' || o.identity
      else o.type || ' ' || o.identity end, d.description)] as sql
  from pg_description d join pg_namespace n on n.oid = ${schemaOf}
  cross join lateral pg_identify_object(d.classoid, d.objoid, d.objsubid) o
  where n.nspname = any ($1::text[]) and o.identity is not null
    and not (o.type = 'schema' and n.nspname = 'public')
    and not exists (select from pg_depend x where x.classid = d.classoid and x.objid = d.objoid and x.deptype = 'e')
  order by 2
`)

export const publicationTables = (version: number) =>
  ofSchemas(`
  select 'publication' as kind, format('%I: %I.%I', p.pubname, n.nspname, c.relname) as name,
    array[format('alter publication %I add table %I.%I%s%s', p.pubname, n.nspname, c.relname,
      ${
        version < 150_000
          ? `'', ''`
          : `(select ' (' || string_agg(quote_ident(a.attname), ', ' order by a.attnum) || ')' from pg_attribute a
          where a.attrelid = c.oid and a.attnum = any (r.prattrs)), ' where (' || pg_get_expr(r.prqual, r.prrelid) || ')'`
      })] as sql
  from pg_publication_rel r join pg_publication p on p.oid = r.prpubid join pg_class c on c.oid = r.prrelid
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1::text[])
`)

export const publications = ofSchemas(`
  select 'publication' as kind, quote_ident(p.pubname) as name,
    array[format('create publication %I%s with (publish = %L, publish_via_partition_root = %s)', p.pubname,
      case when p.puballtables then ' for all tables' end,
      concat_ws(', ', case when p.pubinsert then 'insert' end, case when p.pubupdate then 'update' end,
        case when p.pubdelete then 'delete' end, case when p.pubtruncate then 'truncate' end), p.pubviaroot::text)] as sql
  from pg_publication p
  where p.pubname not like 'supabase\\_%' and p.pubname not in ('logflare_pub') and cardinality($1::text[]) > 0
`)
