import { about, isNotOfExtension, isOwn, type LintQuery } from './lint-parts.ts'

/** An index with the table `c` that it is of. Those of constraints are there for more than speed. */
const index = `pg_index i join pg_class x on x.oid = i.indexrelid
  join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace`
const isOfConstraint = `exists (select from pg_constraint k where k.conindid = i.indexrelid)`

export const indexLints: LintQuery[] = [
  {
    name: 'unused_index',
    sql: `
      select array[n.nspname, c.relname, x.relname] as key,
        format('Index %I of table %I.%I (%s) was never used.', x.relname, n.nspname, c.relname,
          pg_size_pretty(pg_relation_size(x.oid))) as detail,
        jsonb_build_object(${about('table')}, 'index', x.relname, 'definition', pg_get_indexdef(x.oid)) as metadata
      from ${index}
      where i.indisvalid and not i.indisunique and not i.indisexclusion and x.relkind = 'i' and not x.relispartition
        and not ${isOfConstraint} and pg_stat_get_numscans(x.oid) = 0 and ${isOwn}
        and ${isNotOfExtension('pg_class', 'c.oid')}
    `,
  },
  {
    name: 'duplicate_index',
    sql: `
      select array[nspname, relname] || names as key,
        format('Table %I.%I has equal indexes: %s.', nspname, relname, array_to_string(names, ', ')) as detail,
        jsonb_build_object('schema', nspname, 'name', relname, 'type', 'table', 'oid', oid::int8,
          'indexes', names, 'needed', needed, 'definitions', definitions) as metadata
      from (
        select n.nspname, c.relname, c.oid, array_agg(x.relname::text order by x.oid) as names,
          coalesce(array_agg(x.relname::text order by x.oid) filter (where ${isOfConstraint}), '{}') as needed,
          array_agg(pg_get_indexdef(x.oid) order by x.oid) as definitions
        from ${index}
        where i.indisvalid and not x.relispartition and ${isOwn} and ${isNotOfExtension('pg_class', 'c.oid')}
        group by n.nspname, c.relname, c.oid, x.relam, i.indkey::text, i.indnkeyatts, i.indclass::text, i.indcollation::text,
          i.indoption::text, i.indisunique, i.indnullsnotdistinct, pg_get_expr(i.indexprs, i.indrelid), pg_get_expr(i.indpred, i.indrelid)
        having count(*) > 1 and count(*) > count(*) filter (where ${isOfConstraint})
      ) as equal
    `,
  },
]
