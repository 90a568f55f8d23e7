import type { Extension } from '#contract/database/database-object-shapes'
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
