import type { Action, RoleName } from '../permissions.ts'

/** What a line of the matrix asks of the permission rows. */
export type MatrixNeed = {
  action: Action
  resource: string
  in: 'organization' | 'project'
  /** The role that is given or taken away. */
  role?: RoleName
  /** What kind of saved content it is about. */
  type?: 'sql' | 'report' | 'log_sql'
}

export type MatrixLine = {
  what: string
  /** O Owner, A Administrator, D Developer, R Read-only. */
  who: 'O' | 'OA' | 'OAD' | 'OADR'
  needs: readonly MatrixNeed[]
}

type Group = { title: string; lines: readonly MatrixLine[] }
type Who = MatrixLine['who']

const line = (what: string, who: Who, ...needs: MatrixNeed[]): MatrixLine => ({ what, who, needs })
const org = (action: Action, ...resources: string[]): MatrixNeed[] =>
  resources.map((resource) => ({ action, resource, in: 'organization' }))
const prj = (action: Action, ...resources: string[]): MatrixNeed[] =>
  resources.map((resource) => ({ action, resource, in: 'project' }))
const writes = ['write:Create', 'write:Update', 'write:Delete'] as const
const changes = (resource: string) => writes.flatMap((action) => prj(action, resource))
const giving = (role: RoleName): MatrixNeed[] =>
  (['write:Create', 'write:Delete'] as const).map((action) => ({
    action,
    resource: 'auth.subject_roles',
    in: 'organization',
    role,
  }))
const content = (type: 'sql' | 'report' | 'log_sql'): MatrixNeed[] =>
  writes.map((action) => ({ action, resource: 'user_content', in: 'project', type }))

const stripe = [
  'stripe.subscriptions',
  'stripe.payment_methods',
  'stripe.customer',
  'stripe.tax_ids',
] as const
const connections = ['integrations.github_connections', 'integrations.vercel_connections'] as const

/** Who may do what (facts §2.4): what the roles' grants are tested against, and what the team page shows. */
export const roleMatrix: readonly Group[] = [
  {
    title: 'Organization',
    lines: [
      line('Change the organization, its AI setting', 'O', ...org('write:Update', 'organizations')),
      line('Delete the organization', 'O', ...org('write:Delete', 'organizations')),
      line('See members and roles', 'OADR', ...org('read:Read', 'members', 'roles')),
      line('Add, change and remove Owners', 'O', ...giving('Owner')),
      line('Add, change and remove Administrators', 'OA', ...giving('Administrator')),
      line('Add, change and remove Developers', 'OA', ...giving('Developer')),
      line('Add, change and remove Read-only members', 'OA', ...giving('Read-only')),
      line(
        'Invite people, resend and revoke invitations',
        'OA',
        ...org('write:Create', 'user_invites'),
        ...org('write:Delete', 'user_invites'),
      ),
      line('See the audit log', 'OADR', ...org('read:Read', 'audit_logs')),
      line('Download legal documents', 'OADR', ...org('read:Read', 'documents')),
      line('Set up single sign-on', 'OA', ...org('write:Update', 'organizations.sso')),
      line(
        'Publish and authorize OAuth apps',
        'OA',
        ...writes.flatMap((action) => org(action, 'approved_oauth_apps')),
      ),
      line('See OAuth apps', 'OADR', ...org('read:Read', 'approved_oauth_apps')),
      line(
        'Connect GitHub and Vercel',
        'OA',
        ...writes.flatMap((action) => org(action, ...connections)),
      ),
      line('See GitHub and Vercel connections', 'OADR', ...org('read:Read', ...connections)),
    ],
  },
  {
    title: 'Billing',
    lines: [
      line(
        'See plan, usage, invoices, address and payment methods',
        'OADR',
        ...org('billing:Read', ...stripe),
        ...org('read:Read', 'invoices'),
      ),
      line('Change plan, address and payment methods', 'OA', ...org('billing:Write', ...stripe)),
    ],
  },
  {
    title: 'Projects',
    lines: [
      line('Transfer a project', 'O', ...prj('write:Update', 'projects.transfer')),
      line('Create projects', 'OA', ...org('write:Create', 'projects')),
      line(
        'Rename and delete, pause and resume',
        'OA',
        ...prj('write:Update', 'projects'),
        ...prj('write:Delete', 'projects'),
        ...prj(
          'infra:Execute',
          'queue_jobs.projects.pause',
          'queue_jobs.projects.initialize_or_resume',
        ),
      ),
      line('Restart', 'OAD', ...prj('infra:Execute', 'reboot')),
      line('See custom domains', 'OADR', ...prj('read:Read', 'custom_domains')),
      line('Change custom domains', 'OA', ...prj('write:Update', 'custom_domains')),
      line('See read replicas', 'OADR', ...prj('read:Read', 'read_replicas')),
      line(
        'Create and delete read replicas',
        'OA',
        ...prj('write:Create', 'read_replicas'),
        ...prj('write:Delete', 'read_replicas'),
      ),
      line('Change add-ons', 'OA', ...prj('billing:Write', 'stripe.subscriptions')),
      line('Switch branching on and off', 'OA', ...prj('write:Update', 'projects.branching')),
      line('Create, change and delete branches', 'OAD', ...changes('preview_branches')),
      line('See branches', 'OADR', ...prj('read:Read', 'preview_branches')),
    ],
  },
  {
    title: 'Data and SQL',
    lines: [
      line('See tables and rows', 'OADR', ...prj('tenant:Sql:Read:Select', '*')),
      line(
        'Change tables and rows',
        'OAD',
        ...prj('tenant:Sql:Write:Insert', '*'),
        ...prj('tenant:Sql:Write:Update', '*'),
        ...prj('tenant:Sql:Admin:Write', 'tables', 'columns', 'policies', 'roles'),
      ),
      line('Run SQL (Read-only: reading only)', 'OADR', ...prj('tenant:Sql:Query', '*')),
      line('Save SQL queries of one’s own', 'OADR', ...content('sql')),
      line('See backups', 'OADR', ...prj('read:Read', 'back_ups', 'physical_backups')),
      line('Make a backup', 'OAD', ...prj('write:Create', 'back_ups')),
      line('Download backups', 'OAD', ...prj('read:Read', 'back_ups.download')),
      line(
        'Restore a backup, or to a point in time',
        'OAD',
        ...prj('infra:Execute', 'queue_job.restore.prepare', 'queue_job.walg.prepare_restore'),
      ),
      line(
        'See pooling, SSL and disk settings',
        'OADR',
        ...prj('read:Read', 'custom_config_pooler', 'ssl_enforcement', 'disk'),
      ),
      line(
        'Change pooling, SSL, disk and the database password',
        'OA',
        ...prj('write:Update', 'custom_config_pooler', 'ssl_enforcement', 'disk', 'projects'),
      ),
      line(
        'See network restrictions and bans',
        'OADR',
        ...prj('read:Read', 'network_restrictions', 'network_bans'),
      ),
      line(
        'Change network restrictions, lift bans',
        'OA',
        ...prj('write:Create', 'network_restrictions'),
        ...prj('write:Delete', 'network_restrictions', 'network_bans'),
      ),
    ],
  },
  {
    title: 'API and keys',
    lines: [
      line(
        'Read API keys',
        'OAD',
        ...prj('read:Read', 'service_api_keys', 'service_api_keys.service_role_key', 'api_keys'),
      ),
      line(
        'Create, change and delete API keys',
        'OA',
        ...prj('write:Create', 'api_keys'),
        ...prj('write:Update', 'api_keys'),
        ...prj('write:Delete', 'api_keys'),
      ),
      line('See signing keys', 'OADR', ...prj('read:Read', 'auth_signing_keys')),
      line(
        'Create, rotate, revoke and delete signing keys',
        'OA',
        ...prj('write:Create', 'auth_signing_keys'),
        ...prj('write:Update', 'auth_signing_keys'),
        ...prj('write:Delete', 'auth_signing_keys'),
      ),
      line('Read the JWT secret', 'OAD', ...prj('read:Read', 'field.jwt_secret')),
      line('Make a new JWT secret', 'OA', ...prj('infra:Execute', 'queue_job.projects.update_jwt')),
      line('See API settings', 'OADR', ...prj('read:Read', 'custom_config_postgrest')),
      line('Change API settings', 'OA', ...prj('write:Update', 'custom_config_postgrest')),
    ],
  },
  {
    title: 'Auth',
    lines: [
      line('See users', 'OADR', ...prj('tenant:Sql:Read:Select', 'auth.users')),
      line(
        'Create, invite and delete users, send them links, remove their factors',
        'OAD',
        ...prj(
          'auth:Execute',
          'create_user',
          'invite_user',
          'send_otp',
          'send_recovery',
          'send_magic_link',
        ),
        ...prj('tenant:Sql:Write:Delete', 'auth.users', 'auth.mfa_factors'),
      ),
      line('See auth settings', 'OADR', ...prj('read:Read', 'custom_config_gotrue')),
      line('Change auth settings', 'OA', ...prj('write:Update', 'custom_config_gotrue')),
      line(
        'Change mail server settings',
        'OAD',
        ...prj('write:Update', 'custom_config_gotrue.smtp'),
      ),
      line('See auth hooks', 'OADR', ...prj('read:Read', 'custom_config_gotrue.hooks')),
      line(
        'Create and delete auth hooks',
        'OAD',
        ...prj('write:Create', 'custom_config_gotrue.hooks'),
        ...prj('write:Delete', 'custom_config_gotrue.hooks'),
      ),
    ],
  },
  {
    title: 'Storage and functions',
    lines: [
      line('See buckets and files', 'OADR', ...prj('storage:Read', '*')),
      line(
        'Change buckets and files',
        'OAD',
        ...prj('storage:Write', '*'),
        ...prj('storage:Admin:Write', '*'),
      ),
      line('See the upload limit', 'OADR', ...prj('read:Read', 'custom_config_storage')),
      line('Change the upload limit', 'OA', ...prj('write:Update', 'custom_config_storage')),
      line(
        'See, create and delete S3 keys',
        'OAD',
        ...prj('storage:Admin:Read', 's3_credentials'),
        ...prj('storage:Admin:Write', 's3_credentials'),
      ),
      line('See edge functions', 'OADR', ...prj('functions:Read', '*')),
      line('Deploy and delete edge functions', 'OAD', ...prj('functions:Write', '*')),
      line('See function secrets (names)', 'OADR', ...prj('functions:Secret:Read', '*')),
      line('Change function secrets', 'OA', ...prj('functions:Secret:Write', '*')),
      line('See realtime settings', 'OADR', ...prj('realtime:Admin:Read', '*')),
      line('Change realtime settings', 'OA', ...prj('realtime:Admin:Write', '*')),
    ],
  },
  {
    title: 'Logs and reports',
    lines: [
      line(
        'See logs, save log queries',
        'OADR',
        ...prj('analytics:Read', 'logflare'),
        ...content('log_sql'),
      ),
      line('See log drains', 'OADR', ...prj('analytics:Read', 'logflare')),
      line(
        'Create, change and delete log drains',
        'OA',
        ...prj('analytics:Admin:Write', 'log_drains'),
        ...org('analytics:Admin:Write', 'log_drains'),
      ),
      line('See reports', 'OADR', ...prj('read:Read', 'user_content')),
      line('Create, change and delete reports', 'OAD', ...content('report')),
      line('See event collections', 'OADR', ...prj('analytics:Read', 'warehouse.collections')),
      line('Change event collections', 'OA', ...prj('analytics:Write', 'warehouse.collections')),
      line(
        'See warehouse tokens',
        'OAD',
        ...prj('analytics:Admin:Read', 'warehouse.access_tokens'),
      ),
      line(
        'Create and revoke warehouse tokens',
        'OA',
        ...prj('analytics:Admin:Write', 'warehouse.access_tokens'),
      ),
    ],
  },
]
