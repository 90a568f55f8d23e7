import { z } from 'zod'
import { maxVaultUses, VaultUse } from '#contract/integrations/vault'
import type { RunSql } from './secrets-store.ts'

/**
 * Whatever in a database has a text that can name a secret. Names of the server's own catalogue are written out: the owner of the
 * database may have others of the same name. Columns: kind, schema, owner (the table or role that it belongs to), name, the function
 * by its oid, text.
 */
const objects = `
  select 'function' as kind, n.nspname::text as schema, null::text as owner, p.proname::text as name, p.oid as fn,
    pg_catalog.concat_ws(' ', p.prosrc, pg_catalog.pg_get_function_sqlbody(p.oid), p.proconfig::text) as body
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname <> all ('{pg_catalog,information_schema}'::name[])
    and pg_catalog.pg_get_userbyid(p.proowner) !~ '^(supabase_.*admin|plinth_.*)$' and not exists (
    select from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.objid = p.oid and d.deptype = 'e')
  union all
  select 'view', n.nspname, null, c.relname, null, pg_catalog.pg_get_viewdef(c.oid)
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('v', 'm') and n.nspname <> all ('{pg_catalog,information_schema,vault}'::name[])
  union all
  select case when f.proname = 'http_request' and s.nspname = 'supabase_functions' then 'webhook' else 'trigger' end,
    n.nspname, c.relname, t.tgname, null, pg_catalog.pg_get_triggerdef(t.oid)
  from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_proc f on f.oid = t.tgfoid join pg_catalog.pg_namespace s on s.oid = f.pronamespace
  where not t.tgisinternal
  union all
  select 'policy', n.nspname, c.relname, p.polname, null, pg_catalog.concat_ws(' ',
    pg_catalog.pg_get_expr(p.polqual, p.polrelid), pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid))
  from pg_catalog.pg_policy p join pg_catalog.pg_class c on c.oid = p.polrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  union all
  select 'default', n.nspname, c.relname, a.attname, null, pg_catalog.pg_get_expr(d.adbin, d.adrelid)
  from pg_catalog.pg_attrdef d join pg_catalog.pg_class c on c.oid = d.adrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
  union all
  select 'server', null, null, s.srvname, null, ${optionsText('s.srvoptions')}
  from pg_catalog.pg_foreign_server s
  union all
  select 'mapping', null, m.usename, m.srvname, null, ${optionsText('m.umoptions')}
  from pg_catalog.pg_user_mappings m
  union all
  select 'foreign_table', n.nspname, null, c.relname, null, ${optionsText('f.ftoptions')}
  from pg_catalog.pg_foreign_table f join pg_catalog.pg_class c on c.oid = f.ftrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace`

const cronJobs = `
  union all
  select 'cron', null, null, coalesce(j.jobname, j.jobid::text), null, j.command from cron.job j`

/** Values of options as literals, which is what names are looked for in. */
function optionsText(column: string): string {
  return `(select pg_catalog.string_agg('vault ''' || pg_catalog.substr(o.line, pg_catalog.strpos(o.line, '=') + 1) || '''', ' ')
    from pg_catalog.unnest(${column}) as o (line))`
}

/**
 * A name counts where it stands between quotes, of whichever kind, so that one look at each text is enough for all secrets: the
 * texts are cut at their quotes, and the pieces compared with names and ids. Names that have a quote in them are looked for one by
 * one.
 */
const usesSql = (hasCron: boolean) => `
with texts as materialized (
  select pg_catalog.row_number() over () as nr, t.kind, t.schema, t.owner, t.name, t.fn, pg_catalog."left"(t.body, 200000) as body
  from (${objects}${hasCron ? cronJobs : ''}) t where t.body <> ''
), words as materialized (
  select id, name as word from vault.secrets where name <> ''
  union all
  select id, id::text from vault.secrets
), pieces as (
  select t.nr, p.piece from texts t
  cross join lateral pg_catalog.unnest(
    pg_catalog.string_to_array(pg_catalog.translate(t.body, '"$', ''''''), '''')) as p (piece)
), found as (
  select w.id, p.nr from pieces p join words w on w.word = p.piece
  union
  select w.id, t.nr from words w join texts t
    on pg_catalog.strpos(t.body, w.word) > 0
    or pg_catalog.strpos(t.body, pg_catalog.replace(w.word, '''', '''''')) > 0
  where w.word ~ '[''"$]'
), named as materialized (
  select f.id, t.kind, t.schema, t.owner, t.name, t.fn, t.body ~* 'vault|decrypted_secret' as reads
  from found f join texts t on t.nr = f.nr
), used as (
  select n.id, n.kind, n.schema, n.owner, n.name, null::text as through, n.reads
  from named n
  union all
  select n.id, case when g.evtname is null then 'trigger' else 'event_trigger' end, tn.nspname, tc.relname,
    coalesce(g.evtname, t.tgname), n.schema || '.' || n.name, n.reads
  from named n
    left join pg_catalog.pg_trigger t on t.tgfoid = n.fn and not t.tgisinternal
    left join pg_catalog.pg_class tc on tc.oid = t.tgrelid
    left join pg_catalog.pg_namespace tn on tn.oid = tc.relnamespace
    left join pg_catalog.pg_event_trigger g on g.evtfoid = n.fn
  where n.fn is not null and coalesce(g.evtname, t.tgname) is not null
  union all
  select n.id, 'cron', null, null, j.name, n.schema || '.' || n.name, n.reads
  from named n join texts j on j.kind = 'cron' and j.body ~ ('\\m' || n.name || '"?\\s*\\(')
  where n.fn is not null and n.name ~ '^\\w+$'
)
select distinct id as secret, kind, schema, owner, name, through, reads from used
order by reads desc, kind, schema, owner, name, through limit $1`

const hasCronSql = `select exists (select from pg_catalog.pg_extension where extname = 'pg_cron') as cron,
  exists (select from pg_catalog.pg_extension where extname = 'supabase_vault') as vault`

/** What in a project's database names its secrets, read as the owner of the database. */
export const vaultUsesStore = (runSql: RunSql) => ({
  async list(ref: string): Promise<VaultUse[]> {
    const run = (query: string, parameters: readonly unknown[] = []) =>
      runSql(ref, { query, parameters, login: 'postgres' })
    const [has] = await run(hasCronSql)
    if (has?.['vault'] !== true) return []
    return z.array(VaultUse).parse(await run(usesSql(has['cron'] === true), [maxVaultUses]))
  },
})
