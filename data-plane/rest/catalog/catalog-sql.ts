import { plainSql } from '../sql/plain-sql.ts'

/**
 * One row per object: the name of its list in Catalog, and it as JSON. $1: exposed schemas. The search path has to be empty, so that all names come out qualified.
 * Everything is grouped in one pass, so its cost is linear in the number of objects.
 */
export const catalogSql = `
with recursive
exposed as (
  select n.oid, n.nspname from pg_namespace n where n.nspname = any ($1::text[])
),
base_types(oid, base, depth) as (
  select t.oid, t.oid, 0 from pg_type t where t.typtype <> 'd'
  union all
  select t.oid, b.base, b.depth + 1 from pg_type t join base_types b on t.typbasetype = b.oid
  where t.typtype = 'd'
),
media_types as (
  select t.oid, lower(t.typname) as name from pg_type t
  where t.typtype = 'd' and t.typname like '%/%' and t.typname not ilike 'application/vnd.pgrst.%'
    and t.typname ~ '^([*]/[*]|[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*)$'
),
representations as (
  select c.domain, json_object_agg(c.way, json_build_object('schema', n.nspname, 'name', p.proname)) as list
  from (
    select castsource as domain, 'out' as way, castfunc from pg_cast where casttarget = 'json'::regtype
    union all
    select casttarget, case castsource when 'json'::regtype then 'in' else 'filter' end, castfunc
    from pg_cast where castsource in ('json'::regtype, 'text'::regtype)
  ) c
  join pg_type d on d.oid = c.domain and d.typtype = 'd'
  join pg_proc p on p.oid = c.castfunc
  join pg_namespace n on n.oid = p.pronamespace
  group by c.domain
),
columns as (
  select a.attrelid, json_agg(json_build_object(
    'name', a.attname,
    'type', format_type(a.atttypid, a.atttypmod),
    'base', b.typname,
    'array', b.typcategory = 'A',
    'default', case
      when a.attidentity <> '' then
        format('nextval(%L::regclass)', (
          -- Found without its name being read, for which the login may lack the right.
          select format('%I.%I', sn.nspname, s.relname)
          from pg_depend o
          join pg_class s on s.oid = o.objid and s.relkind = 'S'
          join pg_namespace sn on sn.oid = s.relnamespace
          where o.classid = 'pg_class'::regclass and o.refclassid = 'pg_class'::regclass
            and o.refobjid = a.attrelid and o.refobjsubid = a.attnum and o.deptype = 'i'
          limit 1
        ))
      when a.attgenerated = '' then coalesce(pg_get_expr(d.adbin, d.adrelid), (
        select pg_get_expr(t.typdefaultbin, 0) from pg_type t where t.oid = a.atttypid
      )) end,
    'generated', a.attgenerated <> '' or a.attidentity = 'a',
    'representation', shape.list
  ) order by a.attnum) as list
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join exposed e on e.oid = c.relnamespace
  join base_types bt on bt.oid = a.atttypid
  join pg_type b on b.oid = bt.base
  left join representations shape on shape.domain = a.atttypid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'v', 'm', 'f', 'p')
  group by a.attrelid
),
keys as (
  select k.conrelid, json_agg(a.attname order by p.position) as list
  from pg_constraint k
  join exposed e on e.oid = k.connamespace
  cross join unnest(k.conkey) with ordinality as p(attnum, position)
  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.attnum
  where k.contype = 'p'
  group by k.conrelid
),
${plainSql.trim()},
relations as (
  select json_build_object(
    'schema', e.nspname,
    'name', c.relname,
    'kind', c.relkind,
    'writable', case when c.relkind in ('v', 'f') then pg_relation_is_updatable(c.oid, true)
      when c.relkind = 'm' then 0 else 28 end,
    -- Not joined: the planner takes it for short, and would look through all of it for each relation.
    'plain', case when c.oid in (select oid from plain) then 2 else 0 end
      | case when c.oid in (select oid from plain where verbs & 4 <> 0) then 4 else 0 end
      | case when c.oid in (select oid from plain where verbs & 8 <> 0) then 8 else 0 end
      | case when c.oid in (select oid from plain where verbs & 16 <> 0) then 16 else 0 end,
    'primary_key', keys.list,
    'columns', columns.list
  ) as item
  from pg_class c
  join exposed e on e.oid = c.relnamespace
  left join columns on columns.attrelid = c.oid
  left join keys on keys.conrelid = c.oid
  where c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
),
arguments as (
  select p.oid, json_agg(json_build_object(
    'name', coalesce(p.proargnames[x.position], ''),
    'type', format_type(x.type, null),
    'optional', x.rank > p.pronargs - p.pronargdefaults,
    'variadic', x.mode = 'v'
  ) order by x.position) as list
  from pg_proc p
  join exposed e on e.oid = p.pronamespace
  cross join lateral (
    select u.type, u.position, coalesce(p.proargmodes[u.position], 'i') as mode,
      row_number() over (order by u.position) as rank
    from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as u(type, position)
    where coalesce(p.proargmodes[u.position], 'i') in ('i', 'b', 'v')
  ) x
  group by p.oid
),
functions as (
  select json_build_object(
    'schema', e.nspname,
    'name', p.proname,
    'args', arguments.list,
    'returns', case
      when t.oid = 'void'::regtype then 'void'
      when b.typtype = 'c' or coalesce(p.proargmodes && '{t,o,b}', false) then 'composite'
      else 'scalar' end,
    'relation', case when b.typtype = 'c' and r.relkind <> 'c' then
      json_build_object('schema', rn.nspname, 'name', r.relname) end,
    'media', mt.name,
    'bytes', b.oid = 'bytea'::regtype,
    'set', p.proretset,
    'one', p.prorows = 1,
    'of', case when p.pronargs = 1 and ar.relkind <> 'c' then
      json_build_object('schema', an.nspname, 'name', ar.relname) end,
    'volatility', p.provolatile,
    'settings', to_json(p.proconfig)
  ) as item
  from pg_proc p
  join exposed e on e.oid = p.pronamespace
  join pg_type t on t.oid = p.prorettype
  join base_types bt on bt.oid = t.oid
  join pg_type b on b.oid = bt.base
  left join media_types mt on mt.oid = t.oid
  left join pg_class r on r.oid = b.typrelid
  left join pg_namespace rn on rn.oid = r.relnamespace
  left join pg_type at on at.oid = p.proargtypes[0]
  left join pg_class ar on ar.oid = at.typrelid
  left join pg_namespace an on an.oid = ar.relnamespace
  left join arguments on arguments.oid = p.oid
  where p.prokind = 'f' and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
),
handlers as (
  select json_build_object(
    'schema', e.nspname,
    'name', p.proname,
    'media', mt.name,
    'bytes', bt.base = 'bytea'::regtype,
    'of', case when ar.oid is not null then json_build_object('schema', an.nspname, 'name', ar.relname) end
  ) as item
  from media_types mt
  join pg_proc p on p.prorettype = mt.oid and p.prokind = 'a' and p.pronargs = 1
  join pg_aggregate g on g.aggfnoid = p.oid and g.aggkind = 'n'
  join exposed e on e.oid = p.pronamespace
  join base_types bt on bt.oid = mt.oid
  join pg_type at on at.oid = p.proargtypes[0]
  left join pg_class ar on ar.oid = at.typrelid and ar.relkind <> 'c'
  left join pg_namespace an on an.oid = ar.relnamespace
  where ar.oid is not null or at.oid = 'anyelement'::regtype
),
rules as (
  select c.oid, n.nspname, c.relname, r.oid as rule, r.ev_action
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'
  where c.relkind in ('v', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
),
shown as (
  select c.oid from pg_class c join exposed e on e.oid = c.relnamespace where c.relkind in ('r', 'p', 'f')
  union
  select d.refobjid from rules join pg_depend d on d.classid = 'pg_rewrite'::regclass
    and d.objid = rules.rule and d.refclassid = 'pg_class'::regclass
),
views as (
  select json_build_object('id', rules.oid::int8, 'schema', nspname, 'name', relname,
    'rule', ev_action::text, 'columns', json_object_agg(a.attnum, a.attname)) as item
  from rules join pg_attribute a on a.attrelid = rules.oid and a.attnum > 0
  group by rules.oid, nspname, relname, ev_action::text
),
table_keys as (
  select json_build_object('table', k.conrelid::int8, 'columns', k.conkey) as item
  from pg_constraint k
  where k.contype = 'p' and exists (select from rules) and k.conrelid in (select oid from shown)
),
foreign_keys as (
  select json_build_object(
    'name', k.conname,
    'schema', e.nspname,
    'relation', c.relname,
    'columns', names.own,
    'target_schema', tn.nspname,
    'target', t.relname,
    'target_columns', names.other,
    'unique', exists (
      select from pg_index i
      where i.indrelid = k.conrelid and i.indisunique and i.indpred is null and i.indexprs is null
        and i.indkey::int2[] <@ k.conkey
    ),
    'ends', json_build_object('table', k.conrelid::int8, 'columns', k.conkey,
      'target', k.confrelid::int8, 'target_columns', k.confkey)
  ) as item
  from pg_constraint k
  join shown on shown.oid = k.conrelid
  join shown other on other.oid = k.confrelid
  join pg_class c on c.oid = k.conrelid
  join pg_namespace e on e.oid = c.relnamespace
  join pg_class t on t.oid = k.confrelid
  join pg_namespace tn on tn.oid = t.relnamespace
  cross join lateral (
    select json_agg(a.attname order by p.position) as own,
      json_agg(b.attname order by p.position) as other
    from unnest(k.conkey, k.confkey) with ordinality as p(own, other, position)
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.own
    join pg_attribute b on b.attrelid = k.confrelid and b.attnum = p.other
  ) names
  where k.contype = 'f' and k.conparentid = 0
),
roles as (
  select json_build_object('name', r.rolname, 'login', r.rolname = session_user, 'settings', (
    select json_agg(json_build_object(
      'name', split_part(s.line, '=', 1), 'value', substr(s.line, strpos(s.line, '=') + 1))
      order by d.setdatabase)
    from pg_db_role_setting d
    cross join unnest(d.setconfig) as s(line)
    where d.setrole = r.oid
      and d.setdatabase in (0, (select oid from pg_database where datname = current_database()))
      and (split_part(s.line, '=', 1) like 'pgrst.%' or exists (
        select from pg_settings g where g.name = split_part(s.line, '=', 1) and g.context = 'user'
          and g.name not in ('role', 'session_authorization', 'search_path')))
  )) as item
  from pg_roles r
  where r.rolname = session_user or exists (
    select from pg_auth_members m
    where m.roleid = r.oid and m.member = (select oid from pg_roles where rolname = session_user))
)
select 'relations', item::text from relations
union all select 'functions', item::text from functions
union all select 'handlers', item::text from handlers
union all select 'foreign_keys', item::text from foreign_keys
union all select 'views', item::text from views
union all select 'keys', item::text from table_keys
union all select 'roles', item::text from roles
union all select 'schemas', to_json(nspname)::text from exposed`
