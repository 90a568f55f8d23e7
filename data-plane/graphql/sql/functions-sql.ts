/** A type as GraphQL knows it: the one below domains, of the elements of an array. */
const valueSql = (type: string) => `pg_catalog.json_build_object(
  'sql', pg_catalog.format_type(${type}, null),
  'array', b.typcategory = 'A',
  'type', case when e.typnamespace = 'pg_catalog'::pg_catalog.regnamespace or e.typname = 'citext' then e.typname end,
  'enum', case when e.typtype = 'e' then e.oid::pg_catalog.text end,
  'plain', e.typtype in ('b', 'e', 'r', 'm') and b.typtype <> 'p')`

const typesSql = (type: string) => `join base_types bt on bt.oid = ${type}
  join pg_catalog.pg_type b on b.oid = bt.base
  join pg_catalog.pg_type e on e.oid = case when b.typcategory = 'A' and b.typelem <> 0 then b.typelem else b.oid end`

const relationSql = (
  type: string,
) => `(select pg_catalog.json_build_object('schema', n.nspname, 'name', c.relname)
  from pg_catalog.pg_type t join pg_catalog.pg_class c on c.oid = t.typrelid and c.relkind in ('r', 'p', 'v', 'm', 'f')
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace where t.oid = ${type})`

/**
 * The functions of the schema $1 that the role may execute, in the shape of FunctionDetails; stands behind the query of
 * details-sql.ts. Without those of extensions and those with arguments of other kinds than plain ones.
 */
export const functionsSql = `
select 'function', pg_catalog.json_build_object(
  'name', p.proname,
  'comment', pg_catalog.obj_description(p.oid, 'pg_proc'),
  'volatile', p.provolatile = 'v',
  'set', p.proretset,
  'one', not p.proretset or p.prorows = 1,
  'of', case when p.pronargs = 1 then ${relationSql('p.proargtypes[0]')} end,
  'relation', ${relationSql('p.prorettype')},
  'returns', (select ${valueSql('p.prorettype')} from (select) one ${typesSql('p.prorettype')}),
  'args', coalesce((
    select pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', coalesce(p.proargnames[u.position], ''),
      'optional', u.position > p.pronargs - p.pronargdefaults,
      'value', ${valueSql('u.type')}
    ) order by u.position)
    from pg_catalog.unnest(p.proargtypes::pg_catalog.oid[]) with ordinality as u (type, position)
    ${typesSql('u.type')}
  ), '[]')
)::pg_catalog.text
from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
where n.nspname = $1 and p.prokind = 'f' and p.provariadic = 0
  and (p.proargmodes is null or p.proargmodes <@ '{i}'::pg_catalog."char"[])
  and pg_catalog.has_schema_privilege(n.oid, 'usage') and pg_catalog.has_function_privilege(p.oid, 'execute')
  and not exists (select from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.objid = p.oid and d.deptype = 'e')`
