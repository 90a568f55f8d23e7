import type { RoleName } from './permissions.ts'
import { roleNames } from './permissions.ts'
import { hasFeature } from './billing/plan-comparison.ts'
import type { PlanId } from './billing/plans.ts'

/** What a role may do, as patterns (`%` any text) over actions and resources; the role matrix of facts §2.4 as data. */
export type RoleGrant = {
  actions: readonly string[]
  resources: readonly string[]
  /** Takes away what other grants give. */
  restrictive?: true
  /** JSON Logic over {resource_name, ...data}; the grant holds only where it is true. */
  condition?: unknown
}

/** The id of a role for the whole organization: the same in every organization. Roles for single projects count from 1001. */
export const roleId = (role: RoleName): number => roleNames.indexOf(role) + 1

/** Undefined for the id of a role for single projects, or of none. */
export const roleOfId = (id: number): RoleName | undefined => roleNames[id - 1]

const writes = ['write:Create', 'write:Update', 'write:Delete']
const ownContent = { '==': [{ var: 'resource.owner_id' }, { var: 'subject.id' }] }
const isOwnerRole = { '==': [{ var: 'resource.role_id' }, roleId('Owner')] }
const isReport = { '==': [{ var: 'resource.type' }, 'report'] }

/** Reading what belongs to a project or organization, and a person's own snippets. */
const reads: RoleGrant[] = [
  { actions: ['read:Read', 'analytics:Read', 'billing:Read'], resources: ['%'] },
  {
    actions: ['tenant:Sql:Query', 'tenant:Sql:Read:Select', 'tenant:Sql:Admin:Read'],
    resources: ['%'],
  },
  {
    actions: ['sql:Read:Select', 'functions:Read', 'storage:Read', 'storage:Admin:Read'],
    resources: ['%'],
  },
  {
    actions: ['realtime:Admin:Read', 'replication:Admin:Read', 'functions:Secret:Read'],
    resources: ['%'],
  },
  { actions: writes, resources: ['user_content'], condition: ownContent },
]

export const roleGrants: Record<RoleName, readonly RoleGrant[]> = {
  Owner: [{ actions: ['%'], resources: ['%'] }],
  Administrator: [
    { actions: ['%'], resources: ['%'] },
    { actions: ['write:Update', 'write:Delete'], resources: ['organizations'], restrictive: true },
    { actions: ['write:Update'], resources: ['projects.transfer'], restrictive: true },
    {
      actions: writes,
      resources: ['auth.subject_roles', 'user_invites'],
      restrictive: true,
      condition: isOwnerRole,
    },
  ],
  Developer: [
    ...reads,
    {
      actions: ['tenant:Sql:%', 'sql:%', 'auth:Execute', 'storage:%', 'functions:Write'],
      resources: ['%'],
    },
    { actions: ['secrets:Read'], resources: ['%'] },
    { actions: ['analytics:Admin:Read'], resources: ['warehouse.access_tokens'] },
    {
      actions: ['infra:Execute'],
      resources: ['reboot', 'queue_job.restore.prepare', 'queue_job.walg.prepare_restore'],
    },
    { actions: ['write:Create'], resources: ['back_ups'] },
    { actions: ['write:%'], resources: ['preview_branches'] },
    { actions: ['write:Update'], resources: ['custom_config_gotrue.smtp'] },
    { actions: ['write:Create', 'write:Delete'], resources: ['custom_config_gotrue.hooks'] },
  ],
  'Read-only': [
    ...reads,
    {
      actions: ['read:Read'],
      resources: ['service_api_keys%', 'api_keys', 'field.jwt_secret', 'back_ups.download'],
      restrictive: true,
    },
    { actions: ['storage:Admin:Read'], resources: ['s3_credentials'], restrictive: true },
    { actions: writes, resources: ['user_content'], restrictive: true, condition: isReport },
  ],
}

/**
 * What somebody who has roles for single projects only may see of the organization around them. None of these
 * resources is ever asked about within a project, so that no other project comes into sight.
 */
export const guestGrants: readonly RoleGrant[] = [
  { actions: ['read:Read'], resources: ['organizations', 'projects.list', 'members', 'roles'] },
]

export const roleDescriptions: Record<RoleName, string> = {
  Owner: 'Everything, including billing, members and deleting the organization',
  Administrator: 'Everything but changing or deleting the organization and transferring projects',
  Developer:
    'Works inside projects: data, SQL, functions, storage; does not create or delete projects',
  'Read-only': 'Sees everything but keys and secrets; changes nothing',
}

/** The roles that an organization of this plan can give (requirements §6, "Roles by plan"). */
export type RoleOffer = {
  roles: readonly RoleName[]
  /**
   * Roles for single projects: none; `predefined`: one role, for any choice of projects; `custom`: any role on any set of
   * projects, another one for each if need be.
   */
  perProject: 'none' | 'predefined' | 'custom'
}

const offerOf = (plan: PlanId): RoleOffer => ({
  roles: roleNames.filter(
    (role) => role !== 'Read-only' || hasFeature(plan, 'security.accessRoles.readOnly'),
  ),
  perProject: hasFeature(plan, 'security.accessRoles.customPerProject')
    ? 'custom'
    : hasFeature(plan, 'security.accessRoles.perProject')
      ? 'predefined'
      : 'none',
})

export const rolesByPlan: Record<PlanId, RoleOffer> = {
  free: offerOf('free'),
  pro: offerOf('pro'),
  team: offerOf('team'),
  enterprise: offerOf('enterprise'),
}
