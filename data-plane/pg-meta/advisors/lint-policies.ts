import { about, isOwn, type LintQuery } from './lint-parts.ts'

const policy = `pg_policy o join pg_class c on c.oid = o.polrelid join pg_namespace n on n.oid = c.relnamespace`
const expressions = `'policy', o.polname, 'using', pg_get_expr(o.polqual, c.oid), 'check', pg_get_expr(o.polwithcheck, c.oid)`
const text = `concat_ws(' ', pg_get_expr(o.polqual, c.oid), pg_get_expr(o.polwithcheck, c.oid))`
/** The caller's facts, unless they are asked for by a subquery of their own. */
const perRow = String.raw`(?<!SELECT [(]*)(auth\.(uid|jwt|role|email)\(\)|current_setting\()`

export const policyLints: LintQuery[] = [
  {
    name: 'auth_rls_initplan',
    sql: `
      select array[n.nspname, c.relname, o.polname] as key,
        format('Policy %I of table %I.%I asks who is calling once for each row.', o.polname, n.nspname, c.relname) as detail,
        jsonb_build_object(${about('table')}, ${expressions}) as metadata
      from ${policy}
      where c.relrowsecurity and ${isOwn} and ${text} ~ '${perRow}'
    `,
  },
  {
    name: 'rls_references_user_metadata',
    sql: `
      select array[n.nspname, c.relname, o.polname] as key,
        format('Policy %I of table %I.%I decides by user_metadata, which users change themselves.', o.polname, n.nspname, c.relname) as detail,
        jsonb_build_object(${about('table')}, ${expressions}) as metadata
      from ${policy}
      where ${isOwn} and ${text} ~ '''user_metadata''|raw_user_meta_data'
    `,
  },
  {
    name: 'multiple_permissive_policies',
    sql: `
      select array[nspname, relname, action] || policies as key,
        format('Table %I.%I has %s permissive policies for %s by %s: %s.', nspname, relname, cardinality(policies), action,
          string_agg(rolname, ', ' order by rolname), array_to_string(policies, ', ')) as detail,
        jsonb_build_object('schema', nspname, 'name', relname, 'type', 'table', 'oid', oid::int8,
          'action', action, 'policies', policies, 'roles', array_agg(rolname order by rolname)) as metadata
      from (
        select n.nspname, c.relname, c.oid, a.action, r.rolname, array_agg(o.polname::text order by o.polname) as policies
        from ${policy}
          cross join lateral unnest(case o.polcmd
            when '*' then array['select', 'insert', 'update', 'delete'] when 'r' then array['select']
            when 'a' then array['insert'] when 'w' then array['update'] else array['delete'] end) as a(action)
          join pg_roles r on r.oid = any (o.polroles)
            or (0 = any (o.polroles) and r.rolname in ('anon', 'authenticated'))
        where o.polpermissive and c.relrowsecurity and not r.rolbypassrls and ${isOwn}
        group by n.nspname, c.relname, c.oid, a.action, r.rolname
        having count(*) > 1
      ) as several
      group by nspname, relname, oid, action, policies
    `,
  },
]
