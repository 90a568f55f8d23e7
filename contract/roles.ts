import type { RoleName } from './permissions.ts'

/** What a role may do, as patterns (`%` any text) over actions and resources; the role matrix of facts §2.4 as data. */
export type RoleGrant = {
  actions: readonly string[]
  resources: readonly string[]
  /** Takes away what other grants give. */
  restrictive?: true
  /** JSON Logic over {resource_name, ...data}; the grant holds only where it is true. */
  condition?: unknown
}

const ownContent = { '==': [{ var: 'resource.owner_id' }, { var: 'subject.id' }] }

/** Reading what belongs to a project or organization, secrets and keys apart. */
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
  {
    actions: ['write:Create', 'write:Update', 'write:Delete'],
    resources: ['user_content'],
    condition: ownContent,
  },
]

export const roleGrants: Record<RoleName, readonly RoleGrant[]> = {
  Owner: [{ actions: ['%'], resources: ['%'] }],
  Administrator: [
    { actions: ['%'], resources: ['%'] },
    { actions: ['write:Update', 'write:Delete'], resources: ['organizations'], restrictive: true },
    { actions: ['write:Update'], resources: ['projects.transfer'], restrictive: true },
  ],
  Developer: [
    ...reads,
    {
      actions: ['tenant:Sql:%', 'sql:%', 'auth:Execute', 'storage:%', 'functions:Write'],
      resources: ['%'],
    },
    { actions: ['secrets:Read'], resources: ['%'] },
    { actions: ['infra:Execute'], resources: ['reboot'] },
    { actions: ['write:%'], resources: ['preview_branches'] },
  ],
  'Read-only': [
    ...reads,
    {
      actions: ['read:Read'],
      resources: ['service_api_keys%', 'api_keys', 'field.jwt_secret'],
      restrictive: true,
    },
  ],
}

export const roleDescriptions: Record<RoleName, string> = {
  Owner: 'Everything, including billing, members and deleting the organization',
  Administrator: 'Everything but changing or deleting the organization and transferring projects',
  Developer:
    'Works inside projects: data, SQL, functions, storage; does not create or delete projects',
  'Read-only': 'Sees everything but keys and secrets; changes nothing',
}
