import { type Action, allows, type Permission, type RoleName } from '#contract/permissions'
import { planNames, planOfTier, type Tier } from '#contract/billing/plans'
import { roleId, rolesByPlan } from '#contract/roles'
import { ApiError } from '#kit/errors'
import type { Tx } from '../../platform-database/database.ts'
import type { Assignment } from './assignments.ts'

/** The permission rows of one person in one organization, as the transaction sees them. */
export type RowsWithin = (tx: Tx, userId: string, slug: string) => Promise<Permission[]>

export type RoleResource = 'auth.subject_roles' | 'user_invites'

/**
 * Nobody gives or takes a role above their own power (facts §2.4): the rows must allow the action for each of the roles.
 * @throws not_allowed
 */
export function checkPower(
  rows: readonly Permission[],
  action: Extract<Action, 'write:Create' | 'write:Delete'>,
  resource: RoleResource,
  slug: string,
  roles: readonly RoleName[],
): void {
  const may = (role: RoleName) =>
    allows(
      rows,
      action,
      resource,
      { organizationSlug: slug },
      { resource: { role_id: roleId(role) } },
    )
  if (!roles.every(may)) throw new ApiError('not_allowed')
}

/** Holds what is to be given against what the plan offers (requirements §6). @throws plan_limit */
export function checkPlan(tier: Tier, assignments: readonly Assignment[]): void {
  const plan = planOfTier[tier]
  const offer = rolesByPlan[plan]
  const name = planNames[plan]
  const missing = assignments.find(({ role }) => !offer.roles.includes(role))
  if (missing)
    throw new ApiError('plan_limit', `The ${name} plan does not include the ${missing.role} role`)
  const scoped = assignments.filter(({ refs }) => refs !== null)
  if (scoped.length > 0 && offer.perProject === 'none') {
    throw new ApiError('plan_limit', `The ${name} plan does not include roles for single projects`)
  }
  if (scoped.length > 1 && offer.perProject === 'predefined') {
    throw new ApiError(
      'plan_limit',
      `On the ${name} plan, members have the same role in all of their projects`,
    )
  }
}
