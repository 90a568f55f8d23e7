import { notOfExtension, ofSchemas } from './reading.ts'

const typed = `pg_type t join pg_namespace n on n.oid = t.typnamespace`
const isChosen = `n.nspname = any ($1::text[]) and ${notOfExtension('pg_type', 't.oid')}`
const fullName = `format('%I.%I', n.nspname, t.typname)`
const collationOf = (id: string) =>
  `(select format('%I.%I', cn.nspname, co.collname) from pg_collation co
     join pg_namespace cn on cn.oid = co.collnamespace where co.oid = ${id})`

export const schemas = ofSchemas(`
  select 'schema' as kind, quote_ident(name) as name,
    array['create schema if not exists ' || quote_ident(name)] as sql
  from unnest($1::text[]) as name where name <> 'public' order by name
`)

/** Columns of pg_collation have other names in each version. */
export const collations = ofSchemas(`
  select 'collation' as kind, format('%I.%I', n.nspname, co.collname) as name, array[format(
    'create collation %I.%I (provider = %s, locale = %L, deterministic = %s)', n.nspname, co.collname,
    case co.collprovider when 'i' then 'icu' when 'b' then 'builtin' else 'libc' end,
    coalesce(j ->> 'colllocale', j ->> 'colliculocale', co.collcollate::text), co.collisdeterministic::text)] as sql
  from pg_collation co join pg_namespace n on n.oid = co.collnamespace cross join to_jsonb(co) as j
  where n.nspname = any ($1::text[]) and ${notOfExtension('pg_collation', 'co.oid')}
`)

export const enums = ofSchemas(`
  select 'type' as kind, ${fullName} as name, array[format('create type %I.%I as enum (%s)', n.nspname, t.typname,
    coalesce((select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder)
      from pg_enum e where e.enumtypid = t.oid), ''))] as sql
  from ${typed} where t.typtype = 'e' and ${isChosen}
`)

export const composites = ofSchemas(`
  select 'type' as kind, ${fullName} as name, array[format('create type %I.%I as (%s)', n.nspname, t.typname,
    coalesce((select string_agg(format('%I %s%s', a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attcollation <> at.typcollation then ' collate ' || ${collationOf('a.attcollation')} else '' end),
        ', ' order by a.attnum)
      from pg_attribute a join pg_type at on at.oid = a.atttypid
      where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped), ''))] as sql
  from ${typed} join pg_class c on c.oid = t.typrelid
  where t.typtype = 'c' and c.relkind = 'c' and ${isChosen}
`)

export const domains = ofSchemas(`
  select 'domain' as kind, ${fullName} as name, array[format('create domain %I.%I as %s%s%s%s%s', n.nspname, t.typname,
    format_type(t.typbasetype, t.typtypmod),
    case when t.typcollation <> b.typcollation then ' collate ' || ${collationOf('t.typcollation')} else '' end,
    ' default ' || pg_get_expr(t.typdefaultbin, 0),
    case when t.typnotnull then ' not null' else '' end,
    (select string_agg(format(' constraint %I %s', k.conname, pg_get_constraintdef(k.oid)), '' order by k.conname)
      from pg_constraint k where k.contypid = t.oid and k.contype = 'c' and k.convalidated))]
    -- What is not valid yet may only be added.
    || array(select format('alter domain %I.%I add constraint %I %s', n.nspname, t.typname, k.conname,
        pg_get_constraintdef(k.oid))
      from pg_constraint k where k.contypid = t.oid and k.contype = 'c' and not k.convalidated order by k.conname) as sql
  from ${typed} join pg_type b on b.oid = t.typbasetype where t.typtype = 'd' and ${isChosen}
`)

export const ranges = ofSchemas(`
  select 'type' as kind, ${fullName} as name, array[format('create type %I.%I as range (subtype = %s%s%s%s%s%s)',
    n.nspname, t.typname, format_type(r.rngsubtype, null),
    (select format(', subtype_opclass = %I.%I', cn.nspname, oc.opcname)
      from pg_opclass oc join pg_namespace cn on cn.oid = oc.opcnamespace where oc.oid = r.rngsubopc),
    case when r.rngcollation <> 0 then ', collation = ' || ${collationOf('r.rngcollation')} end,
    case when r.rngcanonical <> 0 then ', canonical = ' || r.rngcanonical::regproc end,
    case when r.rngsubdiff <> 0 then ', subtype_diff = ' || r.rngsubdiff::regproc end,
    (select format(', multirange_type_name = %I.%I', mn.nspname, m.typname)
      from pg_type m join pg_namespace mn on mn.oid = m.typnamespace where m.oid = r.rngmultitypid))] as sql
  from ${typed} join pg_range r on r.rngtypid = t.oid where ${isChosen}
`)

/** How a sequence counts; `s` is a row of pg_sequence. */
export const counting = `format('increment by %s minvalue %s maxvalue %s start with %s cache %s%s', s.seqincrement, s.seqmin,
  s.seqmax, s.seqstart, s.seqcache, case when s.seqcycle then ' cycle' else ' no cycle' end)`

/** Those of identity columns come with the column. */
export const ownSequence = `not exists (select from pg_depend d where d.classid = 'pg_catalog.pg_class'::regclass
  and d.objid = c.oid and d.deptype = 'i')`

export const sequences = ofSchemas(`
  select 'sequence' as kind, format('%I.%I', n.nspname, c.relname) as name,
    array[format('create %ssequence %I.%I as %s %s', case c.relpersistence when 'u' then 'unlogged ' else '' end,
      n.nspname, c.relname, format_type(s.seqtypid, null), ${counting})] as sql
  from pg_sequence s join pg_class c on c.oid = s.seqrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1::text[]) and ${ownSequence} and ${notOfExtension('pg_class', 'c.oid')}
`)
