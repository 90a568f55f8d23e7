/** Schemas that are asked for and that the caller may look into. */
export const schemasSql = (inScope: string) => `
  select n.nspname as name from pg_namespace n
  where ${inScope} and has_schema_privilege(n.oid, 'USAGE') order by n.nspname
`

/** A relationship is one to one when its own columns are unique together. */
const oneToOne = `exists (
          select from pg_index i
          where i.indrelid = f.conrelid and i.indisunique and i.indpred is null and i.indexprs is null
            and (select array_agg(k order by k) from unnest(i.indkey[0:i.indnkeyatts - 1]) k)
              = (select array_agg(k order by k) from unnest(f.conkey) k)
        )`

export const relationsSql = `
  select c.oid as id, n.nspname as schema, c.relname as name,
    case c.relkind when 'v' then 'view' when 'm' then 'materialized_view' when 'f' then 'foreign_table' else 'table' end
      as kind,
    c.relkind in ('r', 'p') or c.relkind in ('v', 'f') and pg_relation_is_updatable(c.oid, false) & 20 = 20 as is_updatable,
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'num', a.attnum, 'name', a.attname, 'type', a.atttypid::int8,
        'is_nullable', not (a.attnotnull or t.typtype = 'd' and t.typnotnull),
        'has_default', a.atthasdef and a.attgenerated = '', 'is_identity', a.attidentity <> '',
        'is_always', a.attidentity = 'a' or a.attgenerated <> '',
        'is_updatable', c.relkind in ('r', 'p') or pg_column_is_updatable(c.oid, a.attnum, false)
      ) order by a.attnum)
      from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ), '[]') as columns,
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', f.conname, 'schema', tn.nspname, 'relation', tc.relname,
        'columns', (select jsonb_agg(a.attname order by k.i) from unnest(f.conkey) with ordinality k (n, i)
          join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.n),
        'referenced_columns', (select jsonb_agg(a.attname order by k.i) from unnest(f.confkey) with ordinality k (n, i)
          join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.n),
        'is_one_to_one', ${oneToOne}
      ))
      from pg_constraint f
      join pg_class tc on tc.oid = f.confrelid join pg_namespace tn on tn.oid = tc.relnamespace
      where f.contype = 'f' and f.conrelid = c.oid and f.conparentid = 0
    ), '[]') as relationships
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1::text[]) and c.relkind in ('r', 'p', 'v', 'm', 'f')
  order by n.nspname, c.relname
`

const ofPeople = "n.nspname !~ '^pg_' and n.nspname <> 'information_schema'"

/** What each view is made of, also of schemas that nobody has asked for: another view may be made of it. */
export const viewRulesSql = `
  select c.oid as id, r.ev_action::text as rule
  from pg_rewrite r join pg_class c on c.oid = r.ev_class join pg_namespace n on n.oid = c.relnamespace
  where r.rulename = '_RETURN' and c.relkind in ('v', 'm') and ${ofPeople}
`

export const foreignKeysSql = `
  select f.conname as name, f.conrelid as relation, f.conkey as columns, f.confrelid as target, f.confkey as target_columns,
    ${oneToOne} as is_one_to_one
  from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_namespace n on n.oid = c.relnamespace
  where f.contype = 'f' and f.conparentid = 0 and not c.relispartition and ${ofPeople}
  order by f.oid
`

export const functionsSql = `
  select n.nspname as schema, p.proname as name,
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'mode', coalesce(p.proargmodes[t.position]::text, 'i'), 'name', coalesce(p.proargnames[t.position], ''),
        'type', t.type::int8,
        'has_default', pg_get_function_arg_default(p.oid, t.position::int) is not null
      ) order by t.position)
      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality t (type, position)
    ), '[]') as args,
    pg_get_function_identity_arguments(p.oid) as signature,
    p.prorettype as returns, nullif(rt.typrelid, 0) as returns_relation, p.proretset as is_set, p.prorows as rows
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join pg_type rt on rt.oid = p.prorettype
  where n.nspname = any ($1::text[]) and p.prokind = 'f'
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
  order by n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)
`

export const typesSql = `
  select t.oid as id, n.nspname as schema, t.typname as name, t.typtype as kind,
    case when t.typcategory = 'A' and t.typlen = -1 then nullif(t.typelem, 0) end as element,
    nullif(t.typbasetype, 0) as base, nullif(t.typrelid, 0) as relation, r.relkind as relation_kind,
    coalesce((select array_agg(e.enumlabel::text order by e.enumsortorder)
      from pg_enum e where t.typtype = 'e' and e.enumtypid = t.oid), '{}') as enums,
    coalesce((select jsonb_agg(jsonb_build_object('name', a.attname, 'type', a.atttypid::int8) order by a.attnum)
      from pg_attribute a
      where r.relkind = 'c' and a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped), '[]') as attributes
  from pg_type t
  join pg_namespace n on n.oid = t.typnamespace
  left join pg_class r on r.oid = t.typrelid
  order by n.nspname, t.typname
`
