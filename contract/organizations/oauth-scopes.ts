/** What an app may ask for, each to read or to write (facts §3.3). */
export const oauthScopeAreas = [
  'analytics',
  'analytics_config',
  'auth',
  'database',
  'domains',
  'edge_functions',
  'environment',
  'organizations',
  'projects',
  'rest',
  'secrets',
  'storage',
] as const
export type OAuthScopeArea = (typeof oauthScopeAreas)[number]
export type OAuthScope = `${OAuthScopeArea}:${'read' | 'write'}`

export const oauthScopes: readonly OAuthScope[] = oauthScopeAreas.flatMap((area): OAuthScope[] => [
  `${area}:read`,
  `${area}:write`,
])

type Grant = { actions: readonly string[]; resources: readonly string[] }
type Area = { read: readonly Grant[]; write: readonly Grant[] }

const writes = ['write:Create', 'write:Update', 'write:Delete'] as const
const reads = (...resources: string[]): Grant => ({ actions: ['read:Read'], resources })
const changes = (...resources: string[]): Grant => ({ actions: writes, resources })

/**
 * What a scope stands for, as patterns over actions and resources (`%` any text). A token can do what its scopes, its
 * organization and the permissions of the person behind it all allow. No scope reaches members, bills or other apps.
 */
const grantsOfAreas: Record<OAuthScopeArea, Area> = {
  analytics: {
    read: [{ actions: ['analytics:Read'], resources: ['%'] }],
    write: [{ actions: ['analytics:Write'], resources: ['%'] }],
  },
  analytics_config: {
    read: [{ actions: ['analytics:Admin:Read'], resources: ['%'] }],
    write: [{ actions: ['analytics:Admin:Write'], resources: ['%'] }],
  },
  auth: {
    read: [reads('custom_config_gotrue')],
    write: [
      changes('custom_config_gotrue', 'custom_config_gotrue.smtp', 'custom_config_gotrue.hooks'),
      { actions: ['auth:Execute'], resources: ['%'] },
    ],
  },
  database: {
    read: [
      {
        actions: ['tenant:Sql:Read:Select', 'tenant:Sql:Admin:Read', 'sql:Read:Select'],
        resources: ['%'],
      },
      reads('back_ups', 'physical_backups', 'preview_branches', 'user_content'),
    ],
    // Whoever may run SQL may do anything in a database, so running it is writing.
    write: [
      { actions: ['tenant:Sql:%', 'sql:%'], resources: ['%'] },
      changes('back_ups', 'physical_backups', 'preview_branches', 'user_content'),
      {
        actions: ['infra:Execute'],
        resources: ['queue_job.restore.prepare', 'queue_job.walg.prepare_restore'],
      },
    ],
  },
  domains: {
    read: [reads('custom_domains', 'vanity_subdomains')],
    write: [changes('custom_domains', 'vanity_subdomains')],
  },
  edge_functions: {
    read: [{ actions: ['functions:Read'], resources: ['%'] }],
    write: [{ actions: ['functions:Write'], resources: ['%'] }],
  },
  environment: {
    read: [reads('preview_branches')],
    write: [changes('preview_branches')],
  },
  organizations: {
    read: [reads('organizations', 'members', 'roles')],
    write: [{ actions: ['write:Update'], resources: ['organizations'] }],
  },
  projects: {
    read: [reads('projects', 'projects.%')],
    write: [
      changes('projects'),
      {
        actions: ['infra:Execute'],
        resources: ['reboot', 'queue_jobs.projects.%', 'queue_job.projects.%'],
      },
    ],
  },
  rest: {
    read: [reads('custom_config_postgrest')],
    write: [changes('custom_config_postgrest')],
  },
  secrets: {
    read: [
      reads(
        'service_api_keys',
        'service_api_keys.%',
        'api_keys',
        'field.jwt_secret',
        'auth_signing_keys',
      ),
      { actions: ['secrets:Read', 'functions:Secret:Read'], resources: ['%'] },
    ],
    write: [
      changes('api_keys', 'auth_signing_keys'),
      { actions: ['secrets:Write', 'functions:Secret:Write'], resources: ['%'] },
    ],
  },
  storage: {
    read: [{ actions: ['storage:Read', 'storage:Admin:Read'], resources: ['%'] }],
    write: [{ actions: ['storage:Write', 'storage:Admin:Write'], resources: ['%'] }],
  },
}

export const isOAuthScope = (scope: string): scope is OAuthScope =>
  (oauthScopes as readonly string[]).includes(scope)

/** The grants of these scopes together; texts that are no scope give nothing. */
export function grantsOfScopes(scopes: readonly string[]): Grant[] {
  return scopes.filter(isOAuthScope).flatMap((scope) => {
    const { area, kind } = partsOf(scope)
    return grantsOfAreas[area][kind]
  })
}

/** `projects:read` is to read, in the area of projects. */
export function partsOf(scope: OAuthScope): { area: OAuthScopeArea; kind: 'read' | 'write' } {
  // A scope is made of exactly these two parts, which split() cannot express.
  const [area, kind] = scope.split(':') as [OAuthScopeArea, 'read' | 'write']
  return { area, kind }
}
