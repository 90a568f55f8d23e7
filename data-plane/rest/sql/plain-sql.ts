/**
 * Which changes of which tables run no code but the server's own, and so leave nothing in their session (docs/decisions/0036-tidying-after-writes.md).
 * CTEs of the catalog query, which ends in `plain(oid, verbs)`: bits as pg_relation_is_updatable has them. What is not known to be harmless is not.
 *
 * pg_depend names everything that an expression uses, except what the server was made with (an oid below 16384 here): of that, the functions are found in
 * the text of the expression.
 */
export const plainSql = `
members as (
  select d.classid, d.objid, x.extname from pg_depend d join pg_extension x on x.oid = d.refobjid
  where d.refclassid = 'pg_extension'::regclass and d.deptype = 'e'
),
supers as (select oid from pg_roles where rolsuper),
extension_functions as (
  -- The owner of an extension may add functions of their own to it: those do not belong to a superuser.
  select p.oid, p.proname, p.prolang, p.provolatile, p.proretset, m.extname
  from members m join pg_proc p on m.classid = 'pg_proc'::regclass and p.oid = m.objid
  where p.proowner in (select oid from supers)
),
harmless_functions as (
  select f.oid from extension_functions f join pg_language l on l.oid = f.prolang
  where l.lanname = 'c' and not f.proretset and (f.provolatile <> 'v' or (f.extname, f.proname) in (
    ('pgcrypto', 'gen_random_bytes'), ('pgcrypto', 'gen_random_uuid'), ('pgcrypto', 'gen_salt'),
    ('uuid-ossp', 'uuid_generate_v1'), ('uuid-ossp', 'uuid_generate_v1mc'), ('uuid-ossp', 'uuid_generate_v4')))
  union all
  -- Nearly every policy has one of these. They are as we made them while nobody can act as their owner.
  select p.oid from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join pg_roles o on o.oid = p.proowner
  where n.nspname = 'auth' and p.proname in ('uid', 'role', 'jwt', 'email') and p.pronargs = 0
    and o.rolname = 'supabase_auth_admin'
    and not exists (select from pg_auth_members m where m.roleid = o.oid)
),
single_types as (
  select t.oid, t.typarray from pg_type t
  where t.typtype = 'e' or (t.typtype in ('b', 'r', 'm') and t.typcategory <> 'A' and (t.oid < 16384 or (
    t.typowner in (select oid from supers)
      and t.oid in (select objid from members where classid = 'pg_type'::regclass))))
),
harmless_types as (
  select oid from single_types union all select typarray from single_types where typarray <> 0
),
harmful_built_in as (
  select p.oid from pg_proc p
  where p.oid < 16384 and (
    (p.provolatile = 'v' and p.proname not in ('clock_timestamp', 'currval', 'gen_random_uuid', 'lastval', 'nextval',
      'random', 'random_normal', 'setval', 'timeofday', 'uuidv4', 'uuidv7'))
    -- These read a table, or a value of a type, by a name that only is known when they run.
    or p.proname ~ '^(database|schema|table)_to_xml|^pg_input_|_validator$'
    or p.proargtypes::oid[] && array['cstring'::regtype, 'internal'::regtype]::oid[])
),
-- What a statement means can be another thing by these, wherever it has that operator, cast or function: in ours, too.
overloads as (
  select exists (
    select from pg_operator o where o.oid >= 16384 and (o.oprowner not in (select oid from supers)
      or o.oprcode not in (select oid from extension_functions))
  ) or exists (
    select from pg_cast k
    join pg_type s on s.oid = k.castsource
    join pg_type t on t.oid = k.casttarget
    join pg_proc p on p.oid = k.castfunc
    join pg_language l on l.oid = p.prolang
    -- Those of domains are not heeded by Postgres; a range comes with one that is internal.
    where p.oid >= 16384 and s.typtype <> 'd' and t.typtype <> 'd' and l.lanname <> 'internal'
      and p.oid not in (select oid from extension_functions)
  ) or exists (
    select from pg_proc p
    where p.oid >= 16384 and p.proname in (select b.proname from pg_proc b where b.oid < 16384)
      and p.oid not in (select oid from extension_functions)
      -- A column that is computed of a row is never meant by a name that our statements have.
      and not (p.pronargs = 1 and exists (select from pg_type t where t.oid = p.proargtypes[0] and t.typtype = 'c'))
  ) as found
),
candidates as (
  select c.oid from pg_class c join exposed e on e.oid = c.relnamespace
  where c.relkind = 'r' and not c.relhassubclass and not c.relhasrules
    and not (select found from overloads)
),
-- Read twice rather than kept: the texts are long, and only one reader wants them.
expressions as not materialized (
  select x.* from (
    select 'pg_attrdef'::regclass as class, d.oid, d.adrelid as relation, d.adbin::text as tree from pg_attrdef d
    union all
    select 'pg_constraint'::regclass, k.oid, k.conrelid, k.conbin::text from pg_constraint k where k.contype = 'c'
    union all
    select 'pg_policy'::regclass, p.oid, p.polrelid, concat(p.polqual::text, p.polwithcheck::text) from pg_policy p
    union all
    select 'pg_class'::regclass, i.indexrelid, i.indrelid, concat(i.indexprs::text, i.indpred::text) from pg_index i
  ) x join candidates c on c.oid = x.relation
),
blocked as (
  select a.attrelid as oid from pg_attribute a join candidates c on c.oid = a.attrelid
  where a.attnum > 0 and not a.attisdropped and a.atttypid not in (select oid from harmless_types)
  union
  select x.relation from expressions x
  join pg_depend d on d.classid = x.class and d.objid = x.oid
  left join pg_class s on d.refclassid = 'pg_class'::regclass and s.oid = d.refobjid and s.relkind = 'S'
  where not case d.refclassid
    when 'pg_class'::regclass then d.refobjid = x.relation or s.oid is not null
    when 'pg_proc'::regclass then d.refobjid in (select oid from harmless_functions)
    when 'pg_type'::regclass then d.refobjid in (select oid from harmless_types)
    when 'pg_opclass'::regclass then d.refobjid in (select objid from members where classid = 'pg_opclass'::regclass)
    -- An index is of its constraint. The operators are the server's and those of extensions, or there are no candidates.
    else d.refclassid in ('pg_constraint'::regclass, 'pg_operator'::regclass, 'pg_collation'::regclass) end
  union
  select x.relation from expressions x
  cross join lateral unnest(string_to_array(x.tree, ':funcid ')) as called
  where split_part(called, ' ', 1) in (select oid::text from harmful_built_in)
),
triggered as (
  select t.tgrelid as oid, bit_or(
    (case when t.tgtype & 4 <> 0 then 8 else 0 end)
    | (case when t.tgtype & 16 <> 0 then 4 else 0 end)
    | (case when t.tgtype & 8 <> 0 then 16 else 0 end)) as verbs
  from pg_trigger t where not t.tgisinternal group by t.tgrelid
),
-- What happens to rows of other tables then may run their triggers.
passed_on as (
  select k.confrelid as oid, bit_or(
    (case when k.confupdtype in ('c', 'n', 'd') then 4 else 0 end)
    | (case when k.confdeltype in ('c', 'n', 'd') then 16 else 0 end)) as verbs
  from pg_constraint k where k.contype = 'f' group by k.confrelid
),
plain as (
  select c.oid, 28 & ~coalesce(t.verbs, 0) & ~coalesce(k.verbs, 0) as verbs
  from candidates c
  left join triggered t on t.oid = c.oid
  left join passed_on k on k.oid = c.oid
  where c.oid not in (select oid from blocked)
)`
