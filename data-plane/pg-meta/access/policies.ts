import type { NewPolicy } from '#contract/database/database-policies'
import { changePolicy, createPolicy as creation, dropPolicy } from '#contract/ddl/policies'
import type { Policy } from '#contract/database/pg-meta-shapes'
import { ApiError } from '#kit/errors'
import { executeChange } from '../execute-change.ts'
import { isExpression } from '../parser.ts'
import type { Queryable } from '../queryable.ts'
import { inScope, rowsOf, scopeValues, type Scope } from '../scope.ts'

export const policyRows = `
  select
    p.oid as id, n.nspname as schema, c.relname as table, c.oid as table_id, p.polname as name,
    case when p.polpermissive then 'PERMISSIVE' else 'RESTRICTIVE' end as action,
    case when p.polroles = '{0}' then array['public']
      else array(select r.rolname::text from pg_roles r where r.oid = any (p.polroles) order by r.rolname)
    end as roles,
    case p.polcmd when 'r' then 'SELECT' when 'a' then 'INSERT' when 'w' then 'UPDATE' when 'd' then 'DELETE'
      else 'ALL' end as command,
    pg_get_expr(p.polqual, p.polrelid) as definition,
    pg_get_expr(p.polwithcheck, p.polrelid) as check
  from pg_policy p
  join pg_class c on c.oid = p.polrelid
  join pg_namespace n on n.oid = c.relnamespace
`

const listed = `${policyRows} where ${inScope} order by n.nspname, c.relname, p.polname limit $4 offset $5`

export const listPolicies = (db: Queryable, scope: Scope): Promise<Policy[]> =>
  rowsOf<Policy>(db, listed, [...scopeValues(scope), scope.limit ?? null, scope.offset])

const byId = `${policyRows} where p.oid = $1::int8`
const byName = `${policyRows} where n.nspname = $1 and c.relname = $2 and p.polname = $3`

export async function getPolicy(db: Queryable, id: number): Promise<Policy> {
  const [policy] = await rowsOf<Policy>(db, byId, [id])
  if (!policy) throw new ApiError('not_found', `Cannot find a policy with ID ${id}`)
  return policy
}

/** Each of these expects a transaction around it. */
export async function createPolicy(db: Queryable, policy: NewPolicy): Promise<Policy> {
  await refuseNoExpression(policy)
  await executeChange(db, creation(policy))
  const [made] = await rowsOf<Policy>(db, byName, [policy.schema, policy.table, policy.name])
  if (!made) throw new Error('A policy that was just created is missing')
  return made
}

type PolicyChange = {
  id: number
  name?: string | undefined
  definition?: string | null | undefined
  check?: string | null | undefined
  roles?: string[] | undefined
}

export async function updatePolicy(db: Queryable, change: PolicyChange): Promise<Policy> {
  const before = await getPolicy(db, change.id)
  await refuseNoExpression(change)
  const { name = before.name, roles = before.roles } = change
  // Null takes nothing away here: what the public API calls "no expression" is "as it is".
  const definition = change.definition ?? before.definition
  const made = changePolicy(before, {
    ...before,
    name,
    roles,
    definition,
    check: change.check ?? before.check,
  })
  if (made) await executeChange(db, made)
  return getPolicy(db, change.id)
}

export async function deletePolicy(db: Queryable, id: number): Promise<Policy> {
  const policy = await getPolicy(db, id)
  await executeChange(db, dropPolicy(policy))
  return policy
}

type Expressions = { definition?: string | null | undefined; check?: string | null | undefined }

/** Text from outside must not break out of the parentheses that it is put between. */
async function refuseNoExpression({ definition, check }: Expressions): Promise<void> {
  for (const text of [definition, check]) {
    if (typeof text === 'string' && !(await isExpression(text)))
      throw new ApiError('invalid_input', `This is not a single SQL expression: ${text}`)
  }
}
