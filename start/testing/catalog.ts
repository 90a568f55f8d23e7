import type { ClientConfig } from 'pg'
import { withClient } from '#kit/postgres/client'

/** Everybody's rights on something, and who gave them. */
const rights = (acl: string) =>
  `(select string_agg(format('%s=%s%s/%s', coalesce(g.rolname, 'everybody'), a.privilege_type, case when a.is_grantable then '*' end, f.rolname), ' '
      order by g.rolname, a.privilege_type, f.rolname)
    from aclexplode(${acl}) a left join pg_roles g on g.oid = a.grantee left join pg_roles f on f.oid = a.grantor)`
const ours = (namespace: string) =>
  `${namespace} in (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')`

/** One line for each thing that a database and its server are made of, but for rows. */
const parts: Record<string, string> = {
  database: `select datname, datdba::regrole, ${rights('datacl')} from pg_database where datname = current_database()`,
  schema: `select nspname, nspowner::regrole, ${rights('nspacl')} from pg_namespace where ${ours('oid')}`,
  relation: `select oid::regclass, relkind, relowner::regrole, relpersistence, relrowsecurity, relforcerowsecurity,
      relreplident, reloptions, relispartition, pg_get_expr(relpartbound, oid), pg_get_partkeydef(oid), ${rights('relacl')}
    from pg_class where ${ours('relnamespace')} and relkind <> 't'`,
  column: `select attrelid::regclass, attname, attnum - (select count(*) from pg_attribute gone
        where gone.attrelid = a.attrelid and gone.attisdropped and gone.attnum < a.attnum),
      format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, attcollation::regcollation, attstorage,
      pg_get_expr(adbin, adrelid), ${rights('attacl')}
    from pg_attribute a join pg_class c on c.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where ${ours('relnamespace')} and relkind <> 't' and attnum > 0 and not attisdropped`,
  constraint: `select coalesce(nullif(conrelid, 0)::regclass::text, contypid::regtype::text), conname, convalidated, pg_get_constraintdef(oid)
    from pg_constraint where ${ours('connamespace')}`,
  index: `select indexrelid::regclass, pg_get_indexdef(indexrelid), indisvalid, indisclustered, indisreplident
    from pg_index join pg_class c on c.oid = indexrelid where ${ours('relnamespace')}`,
  view: `select oid::regclass, pg_get_viewdef(oid) from pg_class where ${ours('relnamespace')} and relkind in ('v', 'm')`,
  sequence: `select seqrelid::regclass, seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin, seqcache, seqcycle
    from pg_sequence join pg_class c on c.oid = seqrelid where ${ours('relnamespace')}`,
  function: `select p.oid::regprocedure, proowner::regrole, md5(pg_get_functiondef(p.oid)), ${rights('proacl')}
    from pg_proc p where ${ours('pronamespace')} and prokind in ('f', 'p')`,
  type: `select t.oid::regtype, typtype, typowner::regrole, ${rights('typacl')},
      (select string_agg(enumlabel, ',' order by enumsortorder) from pg_enum where enumtypid = t.oid)
    from pg_type t where ${ours('typnamespace')} and typelem = 0`,
  trigger: `select tgrelid::regclass, tgname, tgenabled, pg_get_triggerdef(t.oid) from pg_trigger t where not tgisinternal`,
  'event trigger': `select evtname, evtevent, evtowner::regrole, evtenabled, evttags, evtfoid::regprocedure from pg_event_trigger`,
  policy: `select polrelid::regclass, polname, polcmd, polpermissive, polroles::regrole[], pg_get_expr(polqual, polrelid),
      pg_get_expr(polwithcheck, polrelid) from pg_policy`,
  rule: `select ev_class::regclass, rulename, pg_get_ruledef(r.oid) from pg_rewrite r join pg_class c on c.oid = ev_class
    where ${ours('relnamespace')} and relkind not in ('v', 'm')`,
  extension: `select extname, extnamespace::regnamespace, extversion, extowner::regrole from pg_extension`,
  publication: `select pubname, pubowner::regrole, puballtables, pubinsert, pubupdate, pubdelete, pubtruncate, pubviaroot,
      (select string_agg(prrelid::regclass::text, ' ' order by 1) from pg_publication_rel where prpubid = p.oid)
    from pg_publication p`,
  'default rights': `select defaclrole::regrole, nullif(defaclnamespace, 0)::regnamespace, defaclobjtype, ${rights('defaclacl')} from pg_default_acl`,
  'what stands beside it': `select pg_describe_object(classoid, objoid, objsubid), description from pg_description where objoid >= 16384`,
  role: `select rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls, rolconnlimit,
      rolpassword is not null from pg_authid where rolname !~ '^pg_'`,
  membership: `select roleid::regrole, member::regrole, grantor::regrole, admin_option, inherit_option, set_option from pg_auth_members`,
  setting: `select coalesce(r.rolname, 'everybody'), case setdatabase when 0 then 'everywhere' else 'here' end, line
    from pg_db_role_setting s cross join unnest(setconfig) line
    left join pg_roles r on r.oid = setrole
    where setdatabase in (0, (select oid from pg_database where datname = current_database()))`,
  'right to set': `select parname, ${rights('paracl')} from pg_parameter_acl`,
  language: 'select lanname, lanpltrusted, lanowner::regrole from pg_language',
  'access right of the catalogue': `select c.oid::regclass, ${rights('relacl')} from pg_class c where relnamespace = 'pg_catalog'::regnamespace
    and relacl is not null`,
}

/** What there is, as sorted lines that can be compared with those of another database. */
export const catalogOf = (config: ClientConfig): Promise<string[]> =>
  withClient(config, async (client) => {
    await client.query('set search_path = pg_catalog')
    const lines: string[] = []
    for (const [kind, sql] of Object.entries(parts)) {
      const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' })
      lines.push(...rows.map((row) => `${kind}: ${row.map(String).join(' | ')}`))
    }
    return lines.toSorted()
  })

/** What only one of two has: `-` the first, `+` the second. */
export function differences(before: string[], after: string[]): string[] {
  const [one, other] = [new Set(before), new Set(after)]
  return [
    ...before.filter((line) => !other.has(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !one.has(line)).map((line) => `+ ${line}`),
  ]
}
