import { matchesPattern, type Permission } from '../permissions.ts'
import { defaultRef } from '../values.ts'

/**
 * What exists on the hosted platform only (requirements §1): in self-hosted mode there is one organization with one
 * project over one database that its operator runs. Endpoints by name, `%` any text; the server refuses them then.
 */
export const platformOnlyEndpoints = [
  'billing.%',
  'branches.%',
  'compute.%',
  'database-password.set',
  'documents.%',
  'domains.%',
  'invitations.%',
  'members.%',
  'oauthApps.%',
  'organizations.create',
  'organizations.remove',
  'claims.%',
  'orphans.%',
  'profile.permissions',
  'projects.create',
  'projects.pause',
  'projects.remove',
  'projects.restart',
  'projects.restore',
  'sso.%',
  'transfer.%',
  'trash.%',
  'usage.%',
  'v1.applyAddOn',
  'v1.branch',
  'v1.branchDifference',
  'v1.branches',
  'v1.%Branch',
  'v1.disableBranches',
  'v1.cancelRestore',
  'v1.createOrganization',
  'v1.createProject',
  'v1.pause',
  'v1.%CustomHostname',
  'v1.customHostname',
  'v1.%anitySubdomain',
  'v1.removeAddOn',
  'v1.removeProject',
  'v1.restore',
] as const

/** Of billing, what every page asks for stays: it answers that nothing is owed. */
const everywhere = [
  'billing.overdue',
  'members.roles',
  'orphans.objects',
  'orphans.removeObjects',
  'claims.address',
]

export const isPlatformOnly = (endpointName: string): boolean =>
  !everywhere.includes(endpointName) &&
  platformOnlyEndpoints.some((pattern) => matchesPattern(pattern, endpointName))

/** What the permissions call would answer there: whoever is in the one organization may do everything (requirements §6). */
export const selfHostedPermissions = (): Permission[] => [
  {
    actions: ['%'],
    condition: null,
    organization_id: 1,
    organization_slug: selfHostedWorld.organizationSlug,
    project_ids: [],
    project_refs: [],
    resources: ['%'],
    restrictive: false,
  },
]

/** The one organization and project of self-hosted mode (facts §0, "Self-hosted profile"). */
export const selfHostedWorld = {
  organizationSlug: 'default-org-slug',
  organizationName: 'Default Organization',
  projectRef: defaultRef,
  projectName: 'Default Project',
} as const

export const modes = ['platform', 'self-hosted'] as const
export type Mode = (typeof modes)[number]
