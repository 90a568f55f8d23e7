import type { Dependent, Extension } from '#contract/database/database-object-shapes'
import { changeExtension, disableExtension, enableExtension } from '#contract/ddl/extensions'
import { ApiError } from '#kit/errors'
import { executeChange } from '../execute-change.ts'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'

/** `v` is the version that is installed, or the one that would be. */
const extensionRows = `
  select
    e.name, n.nspname as schema, e.default_version, e.installed_version, e.comment,
    coalesce(v.requires::text[], '{}') as requires,
    array(
      select r.extname::text from pg_depend d
      join pg_extension r on r.oid = d.objid
      where d.classid = 'pg_extension'::regclass and d.refclassid = 'pg_extension'::regclass
        and d.refobjid = x.oid order by r.extname
    ) as required_by,
    v.schema as fixed_schema, coalesce(v.relocatable, false) as relocatable,
    me.rolsuper or coalesce(v.trusted or not v.superuser, false)
      and has_database_privilege(current_database(), 'CREATE') as may_enable,
    coalesce(me.rolsuper or pg_has_role(x.extowner, 'USAGE'), false) as may_change
  from pg_available_extensions e
  join pg_roles me on me.rolname = current_user
  left join pg_extension x on x.extname = e.name
  left join pg_namespace n on n.oid = x.extnamespace
  left join pg_available_extension_versions v
    on v.name = e.name and v.version = coalesce(e.installed_version, e.default_version)
`

export function listExtensions(
  db: Queryable,
  { limit, offset }: { limit?: number | undefined; offset: number },
): Promise<Extension[]> {
  const sql = `${extensionRows} order by e.name limit $1 offset $2`
  return rowsOf<Extension>(db, sql, [limit ?? null, offset])
}

export async function getExtension(db: Queryable, name: string): Promise<Extension> {
  const [extension] = await rowsOf<Extension>(db, `${extensionRows} where e.name = $1`, [name])
  if (!extension) throw new ApiError('not_found', `Cannot find an extension named ${name}`)
  return extension
}

/**
 * What uses the types, functions and operators of an extension, and would go with it, in any depth. A view depends by its
 * rule: what is named is what people know of it.
 */
const dependentRows = `
  with recursive parts as (
    select d.classid, d.objid from pg_depend d join pg_extension x on x.oid = d.refobjid
    where d.refclassid = 'pg_extension'::regclass and d.deptype = 'e' and x.extname = $1
    union
    -- Keys, defaults and indexes of its tables, operators of its classes.
    select d.classid, d.objid from parts p
    join pg_depend d on d.refclassid = p.classid and d.refobjid = p.objid and d.deptype in ('a', 'i')
  ),
  used (classid, objid, objsubid) as (
    select classid, objid, 0 from parts
    union
    select known.*
    from used u
    join pg_depend d on d.refclassid = u.classid and d.refobjid = u.objid
      and (u.objsubid = 0 or d.refobjsubid = u.objsubid) and d.deptype in ('n', 'a')
    left join pg_rewrite w on d.classid = 'pg_rewrite'::regclass and w.oid = d.objid
    cross join lateral (
      select 'pg_class'::regclass::oid, w.ev_class, 0 where w.oid is not null
      union all select d.classid, d.objid, d.objsubid where w.oid is null
    ) known
  )
  select distinct i.type, i.identity as name
  from used u
  left join pg_class c on u.classid = 'pg_class'::regclass and c.oid = u.objid
  -- No view stays when a column of it goes.
  cross join lateral pg_identify_object(
    u.classid, u.objid, case when c.relkind in ('v', 'm') then 0 else u.objsubid end) i
  where i.type is not null
    and not exists (select from parts p where p.classid = u.classid and p.objid = u.objid)
  order by i.type, i.identity
  limit 200
`

/** At most 200. @throws ApiError not_found */
export async function extensionDependents(db: Queryable, name: string): Promise<Dependent[]> {
  await getExtension(db, name)
  return rowsOf<Dependent>(db, dependentRows, [name])
}

type NewExtension = {
  name: string
  schema?: string | undefined
  version?: string | undefined
  cascade: boolean
}

export async function createExtension(db: Queryable, desired: NewExtension): Promise<Extension> {
  await executeChange(db, enableExtension({ ...desired, createSchema: true }))
  return getExtension(db, desired.name)
}

export async function updateExtension(
  db: Queryable,
  desired: {
    name: string
    update: boolean
    version?: string | undefined
    schema?: string | undefined
  },
): Promise<Extension> {
  const { update, version, schema } = desired
  const there = await getExtension(db, desired.name)
  const newest = update ? null : undefined
  await executeChange(db, changeExtension(there, { version: version ?? newest, schema }))
  return getExtension(db, desired.name)
}

export async function deleteExtension(
  db: Queryable,
  { name, cascade }: { name: string; cascade: 'true' | 'false' },
): Promise<Extension> {
  const extension = await getExtension(db, name)
  await executeChange(db, disableExtension({ ...extension, cascade: cascade === 'true' }))
  return extension
}
