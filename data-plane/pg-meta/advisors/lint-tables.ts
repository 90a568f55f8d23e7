import {
  about,
  columnNames,
  isExposed,
  isNotOfExtension,
  isOpenFor,
  isOwn,
  isWithinReach,
  type LintQuery,
} from './lint-parts.ts'

const table = `pg_class c join pg_namespace n on n.oid = c.relnamespace`
const isTable = `c.relkind in ('r', 'p') and ${isNotOfExtension('pg_class', 'c.oid')}`

/** Rows that fit on a page of 8 kB: 24 bytes in front of each, 4 for its pointer, and 8 % that nobody fills. */
const bloat = `
  select c.oid, c.relname, n.oid as space, n.nspname, pg_relation_size(c.oid) as bytes,
    ceil(c.reltuples * (28 + s.width) * 1.08)::int8 as needed
  from ${table},
    lateral (
      select coalesce(sum(a.avg_width * (1 - a.null_frac)), 8) as width from pg_stats a
      where a.schemaname = n.nspname and a.tablename = c.relname and not a.inherited
    ) s
  where c.relkind in ('r', 'm') and c.reltuples >= 0 and ${isOwn} and ${isNotOfExtension('pg_class', 'c.oid')}
`

export const tableLints: LintQuery[] = [
  {
    name: 'no_primary_key',
    sql: `
      select array[n.nspname, c.relname] as key,
        format('Table %I.%I has no primary key.', n.nspname, c.relname) as detail,
        jsonb_build_object(${about('table')}) as metadata
      from ${table}
      where ${isTable} and not c.relispartition and ${isOwn}
        and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p')
    `,
  },
  {
    name: 'rls_disabled_in_public',
    sql: `
      select array[n.nspname, c.relname] as key,
        format('Table %I.%I can be reached through the data API, and row level security is off.', n.nspname, c.relname) as detail,
        jsonb_build_object(${about('table')}) as metadata
      from ${table}
      where ${isTable} and not c.relrowsecurity and ${isOwn} and ${isExposed}
        and ${isOpenFor('SELECT, INSERT, UPDATE, DELETE')}
    `,
  },
  {
    name: 'rls_enabled_no_policy',
    sql: `
      select array[n.nspname, c.relname] as key,
        format('Table %I.%I has row level security and no policy.', n.nspname, c.relname) as detail,
        jsonb_build_object(${about('table')}) as metadata
      from ${table}
      where ${isTable} and c.relrowsecurity and ${isOwn} and ${isWithinReach}
        and not exists (select from pg_policy o where o.polrelid = c.oid)
    `,
  },
  {
    name: 'policy_exists_rls_disabled',
    sql: `
      select array[n.nspname, c.relname] as key,
        format('Table %I.%I has %s, and row level security is off.', n.nspname, c.relname,
          case when count(*) = 1 then 'a policy' else count(*) || ' policies' end) as detail,
        jsonb_build_object(${about('table')}, 'policies', array_agg(o.polname order by o.polname)) as metadata
      from pg_policy o join pg_class c on c.oid = o.polrelid join pg_namespace n on n.oid = c.relnamespace
      where ${isTable} and not c.relrowsecurity and ${isOwn} and ${isWithinReach}
      group by c.oid, c.relname, n.oid, n.nspname
    `,
  },
  {
    name: 'foreign_table_in_api',
    sql: `
      select array[n.nspname, c.relname] as key,
        format('Foreign table %I.%I can be read through the data API.', n.nspname, c.relname) as detail,
        jsonb_build_object(${about('foreign table')}) as metadata
      from ${table}
      where c.relkind = 'f' and ${isOwn} and ${isExposed} and ${isOpenFor('SELECT')}
    `,
  },
  {
    name: 'unsupported_reg_types',
    sql: `
      select array[n.nspname, c.relname, a.attname] as key,
        format('Column %I of table %I.%I has the type %s.', a.attname, n.nspname, c.relname, t.typname) as detail,
        jsonb_build_object(${about('table')}, 'column', a.attname, 'column_type', t.typname) as metadata
      from pg_attribute a join pg_class c on c.oid = a.attrelid
        join pg_namespace n on n.oid = c.relnamespace
        join pg_type t on t.oid = a.atttypid
      where c.relkind in ('r', 'p', 'm') and a.attnum > 0 and not a.attisdropped and ${isOwn}
        and t.typname in ('regcollation', 'regconfig', 'regdictionary', 'regnamespace', 'regoper', 'regoperator', 'regproc', 'regprocedure')
        and t.typnamespace = 'pg_catalog'::regnamespace
    `,
  },
  {
    name: 'table_bloat',
    sql: `
      select array[c.nspname, c.relname] as key,
        format('Table %I.%I takes %s on disk; its rows need about %s.', c.nspname, c.relname,
          pg_size_pretty(bytes), pg_size_pretty(needed)) as detail,
        jsonb_build_object('schema', c.nspname, 'name', c.relname, 'type', 'table', 'oid', c.oid::int8,
          'bytes', bytes, 'needed', needed) as metadata
      from (${bloat}) c
      where bytes - needed > 10 * 1024 * 1024 and needed < bytes / 2
    `,
  },
  {
    name: 'unindexed_foreign_keys',
    sql: `
      select array[n.nspname, c.relname, k.conname] as key,
        format('Foreign key %I of table %I.%I has no index that begins with its columns.', k.conname, n.nspname, c.relname) as detail,
        jsonb_build_object(${about('table')}, 'fkey_name', k.conname, 'fkey_columns', to_jsonb(k.conkey),
          'columns', ${columnNames('c.oid', 'k.conkey')}) as metadata
      from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      where k.contype = 'f' and not c.relispartition and ${isOwn} and ${isNotOfExtension('pg_class', 'c.oid')}
        and not exists (
          select from pg_index i
          where i.indrelid = c.oid and i.indisvalid and i.indpred is null
            and (select array_agg(x order by x) from unnest((i.indkey::int2[])[0:cardinality(k.conkey) - 1]) x)
              = (select array_agg(x order by x) from unnest(k.conkey) x)
        )
    `,
  },
  {
    name: 'fkey_to_auth_unique',
    sql: `
      select array[n.nspname, c.relname, k.conname] as key,
        format('Foreign key %I of table %I.%I references a unique constraint of %s.', k.conname, n.nspname, c.relname, k.confrelid::regclass) as detail,
        jsonb_build_object(${about('table')}, 'fkey_name', k.conname, 'fkey_columns', to_jsonb(k.conkey),
          'columns', ${columnNames('c.oid', 'k.conkey')}) as metadata
      from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
        join pg_class target on target.oid = k.confrelid
        join pg_index i on i.indexrelid = k.conindid
      where k.contype = 'f' and target.relnamespace = to_regnamespace('auth') and not i.indisprimary and ${isOwn}
    `,
  },
]
