import {
  about,
  isExposed,
  isInvokerView,
  isNotOfExtension,
  isOpenFor,
  isOwn,
} from './lint-parts.ts'
import type { Found, LintQuery } from './lint-parts.ts'

const view = `pg_class c join pg_namespace n on n.oid = c.relnamespace`

/** Tokens and keys in the text `text`. */
const secrets = (text: string) =>
  String.raw`(select array_agg(m[1]) from regexp_matches(${text}, '(eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+|sb_secret_[\w-]{16,})', 'g') m)`

/** Whether one of the texts opens every door: an opaque secret key, or a token whose claims say service_role. */
function holdsServiceKey({ evidence }: Found): boolean {
  return (evidence ?? []).some((text) => {
    if (text.startsWith('sb_secret_')) return true
    const payload = Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()
    return /"role"\s*:\s*"service_role"/.test(payload)
  })
}

const codeLints: LintQuery[] = [
  {
    name: 'function_search_path_mutable',
    sql: `
      select array[n.nspname, o.proname, pg_get_function_identity_arguments(o.oid)] as key,
        format('%s %I.%I(%s) has no search_path of its own.', case o.prokind when 'p' then 'Procedure' else 'Function' end,
          n.nspname, o.proname, pg_get_function_identity_arguments(o.oid)) as detail,
        jsonb_build_object('schema', n.nspname, 'name', o.proname, 'type', case o.prokind when 'p' then 'procedure' else 'function' end,
          'oid', o.oid::int8, 'arguments', pg_get_function_identity_arguments(o.oid)) as metadata
      from pg_proc o join pg_namespace n on n.oid = o.pronamespace join pg_language l on l.oid = o.prolang
      where o.prokind in ('f', 'p') and l.lanname not in ('internal', 'c') and ${isOwn}
        and ${isNotOfExtension('pg_proc', 'o.oid')}
        and not exists (select from unnest(o.proconfig) setting where setting like 'search\\_path=%')
    `,
  },
  {
    name: 'leaked_service_key',
    keep: holdsServiceKey,
    sql: `
      select array[n.nspname, o.proname, pg_get_function_identity_arguments(o.oid)] as key,
        format('A service key is in the text of function %I.%I.', n.nspname, o.proname) as detail,
        jsonb_build_object('schema', n.nspname, 'name', o.proname, 'type', 'function', 'oid', o.oid::int8) as metadata,
        ${secrets('o.prosrc')} as evidence
      from pg_proc o join pg_namespace n on n.oid = o.pronamespace
      where o.prosrc ~ 'eyJ|sb_secret_' and ${isOwn}
      union all
      select array[n.nspname, c.relname],
        format('A service key is in the text of view %I.%I.', n.nspname, c.relname),
        jsonb_build_object(${about('view')}), ${secrets('pg_get_viewdef(c.oid)')}
      from ${view}
      where c.relkind in ('v', 'm') and ${isOwn} and pg_get_viewdef(c.oid) ~ 'eyJ|sb_secret_'
      union all
      select array[n.nspname, c.relname, t.tgname],
        format('A service key is in trigger %I of table %I.%I.', t.tgname, n.nspname, c.relname),
        jsonb_build_object(${about('table')}, 'trigger', t.tgname), ${secrets(`encode(t.tgargs, 'escape')`)}
      from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      where not t.tgisinternal and ${isOwn} and encode(t.tgargs, 'escape') ~ 'eyJ|sb_secret_'
    `,
  },
  {
    name: 'extension_in_public',
    sql: `
      select array[e.extname::text] as key, format('Extension %I is in the schema public.', e.extname) as detail,
        jsonb_build_object('schema', 'public', 'name', e.extname, 'type', 'extension', 'relocatable', e.extrelocatable) as metadata
      from pg_extension e
      where e.extnamespace = to_regnamespace('public') and 'public' = any ((select exposed from p)::text[])
    `,
  },
  {
    name: 'extension_versions_outdated',
    sql: `
      select array[name::text] as key,
        format('Extension %I is version %s; the server has %s.', name, installed_version, default_version) as detail,
        jsonb_build_object('name', name, 'type', 'extension', 'installed', installed_version, 'offered', default_version) as metadata
      from pg_available_extensions where installed_version <> default_version
    `,
  },
]

const viewLints: LintQuery[] = [
  {
    name: 'auth_users_exposed',
    sql: `
      select array[n.nspname, c.relname] as key,
        format('View %I.%I shows rows of auth.users to clients of the data API.', n.nspname, c.relname) as detail,
        jsonb_build_object(${about('view')}, 'materialized', c.relkind = 'm') as metadata
      from ${view}
      where (c.relkind = 'm' or (c.relkind = 'v' and not ${isInvokerView})) and ${isExposed} and ${isOpenFor('SELECT')}
        and exists (
          select from pg_rewrite w join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
          where w.ev_class = c.oid and d.refclassid = 'pg_class'::regclass and d.refobjid = to_regclass('auth.users')
        )
    `,
  },
  {
    name: 'security_definer_view',
    sql: `
      select array[n.nspname, c.relname] as key,
        format('View %I.%I reads with the rights of its owner.', n.nspname, c.relname) as detail,
        jsonb_build_object(${about('view')}) as metadata
      from ${view}
      where c.relkind = 'v' and ${isOwn} and ${isExposed} and ${isOpenFor('SELECT')} and not ${isInvokerView}
        and ${isNotOfExtension('pg_class', 'c.oid')}
    `,
  },
  {
    name: 'materialized_view_in_api',
    sql: `
      select array[n.nspname, c.relname] as key,
        format('Materialized view %I.%I can be read through the data API.', n.nspname, c.relname) as detail,
        jsonb_build_object(${about('materialized view')}) as metadata
      from ${view}
      where c.relkind = 'm' and ${isOwn} and ${isExposed} and ${isOpenFor('SELECT')}
    `,
  },
]

export const otherLints = [...codeLints, ...viewLints]
