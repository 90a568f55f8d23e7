import type { NewRole, Role, RoleChange } from '#contract/database/database-object-shapes'
import { changeRole, createRole as creation, dropRole } from '#contract/ddl/roles'
import { quoteIdent, quoteLiteral } from '#contract/ddl/sql-text'
import { ApiError } from '#kit/errors'
import { scramVerifier } from '#kit/postgres/scram'
import { executeChange } from '../execute-change.ts'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'

const roleRows = `
  select
    r.oid as id, r.rolname as name, r.rolsuper as is_superuser, r.rolcreatedb as can_create_db,
    r.rolcreaterole as can_create_role, r.rolinherit as inherit_role, r.rolcanlogin as can_login,
    r.rolreplication as is_replication_role, r.rolbypassrls as can_bypass_rls,
    (select count(*)::int from pg_stat_activity a where a.usesysid = r.oid) as active_connections,
    r.rolconnlimit as connection_limit, '********' as password,
    r.rolvaliduntil::text as valid_until,
    (select jsonb_object_agg(split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1))
      from unnest(r.rolconfig) setting) as config,
    array(
      select g.rolname::text from pg_auth_members m join pg_roles g on g.oid = m.roleid
      where m.member = r.oid order by g.rolname
    ) as member_of,
    pg_has_role(r.oid, 'MEMBER WITH ADMIN OPTION') as may_grant
  from pg_roles r
`

type Listed = {
  include_system_schemas: 'true' | 'false'
  include_default_roles: 'true' | 'false'
  limit?: number | undefined
  offset: number
}

export function listRoles(db: Queryable, input: Listed): Promise<Role[]> {
  const all = [input.include_system_schemas, input.include_default_roles].includes('true')
  const sql = `${roleRows} where $1 or r.rolname not like 'pg\\_%' order by r.rolname limit $2 offset $3`
  return rowsOf<Role>(db, sql, [all, input.limit ?? null, input.offset])
}

export async function getRole(db: Queryable, id: number): Promise<Role> {
  const [role] = await rowsOf<Role>(db, `${roleRows} where r.oid = $1::int8`, [id])
  if (!role) throw new ApiError('not_found', `Cannot find a role with ID ${id}`)
  return role
}

export async function createRole(db: Queryable, { password, ...desired }: NewRole): Promise<Role> {
  await executeChange(db, creation(desired))
  if (password !== undefined) await setPassword(db, desired.name, password)
  const [made] = await rowsOf<Role>(db, `${roleRows} where r.rolname = $1`, [desired.name])
  if (!made) throw new Error('A role that was just created is missing')
  return made
}

export async function updateRole(
  db: Queryable,
  { id, password, config, ...desired }: RoleChange & { id: number },
): Promise<Role> {
  const there = await getRole(db, id)
  const settings = config === undefined ? there.config : configOf(there.config ?? {}, config)
  await executeChange(db, changeRole(there, { ...given(desired), config: settings }))
  // The name may just have changed, and with it goes an old md5 password.
  if (password !== undefined) await setPassword(db, desired.name ?? there.name, password)
  return getRole(db, id)
}

export async function deleteRole(
  db: Queryable,
  { id, cascade }: { id: number; cascade: 'true' | 'false' },
): Promise<Role> {
  const role = await getRole(db, id)
  await executeChange(db, dropRole(role, cascade === 'true'))
  return role
}

/** As a verifier, so that the password itself is in no log and no statistics. */
async function setPassword(db: Queryable, role: string, password: string): Promise<void> {
  const verifier = quoteLiteral(await scramVerifier(password))
  const sql = `alter role ${quoteIdent(role)} password ${verifier}`
  await db.query(sql)
}

type Config = Record<string, string>

function configOf(there: Config, desired: Exclude<RoleChange['config'], undefined>): Config {
  if (!Array.isArray(desired)) return desired
  const config = { ...there }
  for (const { op, path, value } of desired) {
    if (op === 'remove') delete config[path]
    else if (value === undefined) throw new ApiError('invalid_input', `${path} has no value`)
    else config[path] = value
  }
  return config
}

/** Without what was not said: a missing word leaves things as they are. */
function given<T extends object>(desired: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(desired).filter(([, value]) => value !== undefined)
  // The same keys, and every value is one that was there.
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
