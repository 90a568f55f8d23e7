import { loginRoles } from '#contract/database/login-roles'

/**
 * What a project is given (data-plane/schema), for the look after each start (roles.ts). Whoever adds a role, a membership or
 * a schema there adds it here: the tests make projects, new and brought up to this version, and nothing is found in them.
 */

/** Who is superuser: the one that the cluster is made with. */
export const superuser = 'supabase_admin'

/** Theirs too: in it stands which migrations were applied (kit/postgres/migrations.ts). */
export const recordsTable = { schema: 'extensions', name: 'plinth_migrations' }

/** Attributes of roles that the customer has no admin option over, so that only a superuser could have changed them. */
type Attributes = { replication: boolean; bypassrls: boolean; createrole: boolean }
const plain: Attributes = { replication: false, bypassrls: false, createrole: false }
export const attributes: Record<string, Attributes> = {
  postgres: { replication: false, bypassrls: true, createrole: true },
  plinth_read_only: { ...plain, bypassrls: true },
  plinth_backup_reader: { ...plain, bypassrls: true },
  supabase_realtime_admin: plain,
  plinth_realtime: { ...plain, replication: true },
  plinth_slots: { ...plain, replication: true },
  plinth_replicator: { ...plain, replication: true },
  supabase_auth_admin: plain,
  supabase_storage_admin: plain,
  plinth_storage: plain,
  plinth_sql: plain,
  authenticator_anon: plain,
  authenticator_authenticated: plain,
  authenticator_service_role: plain,
  dashboard_user: plain,
  [loginRoles.owner]: plain,
  [loginRoles.reader]: { ...plain, bypassrls: true },
}

const logins = [
  'authenticator_anon',
  'authenticator_authenticated',
  'authenticator_service_role',
  'supabase_auth_admin',
  'plinth_storage',
  'plinth_realtime',
  'plinth_sql',
  'plinth_read_only',
]

/**
 * Who is a member of the platform's roles, and of those that Postgres defines; of others of these, nobody. The customer may
 * hand on `anon`, `authenticated`, `service_role` and `authenticator`, and what they have made: these are not looked at.
 */
export const members: Record<string, readonly string[]> = {
  postgres: ['plinth_sql', loginRoles.owner],
  plinth_read_only: [loginRoles.reader],
  supabase_storage_admin: ['postgres', 'plinth_storage'],
  supabase_realtime_admin: ['postgres', 'plinth_realtime'],
  pg_monitor: ['postgres'],
  pg_read_all_data: ['plinth_backup_reader'],
  pg_signal_backend: ['postgres'],
  pg_use_reserved_connections: [...logins, 'plinth_backup_reader'],
  // As Postgres makes them.
  pg_read_all_settings: ['pg_monitor'],
  pg_read_all_stats: ['pg_monitor'],
  pg_stat_scan_tables: ['pg_monitor'],
}

/** Besides those that Postgres defines. */
export const guarded: readonly string[] = [superuser, ...Object.keys(attributes)]

/** Whose the schemas of the platform are. */
export const schemaOwners: Record<string, string> = {
  auth: superuser,
  storage: superuser,
  realtime: superuser,
  graphql_public: superuser,
  extensions: superuser,
}

/** Whose functions in them act as their owner. */
export const functionOwners: Record<string, string> = {
  auth: 'supabase_auth_admin',
  storage: 'supabase_storage_admin',
  realtime: 'supabase_realtime_admin',
  extensions: 'plinth_slots',
}

/** Functions there that act as the superuser, and read the key of a vault (data-plane/schema/018-vault.sql). */
export const vaultFunctions: readonly string[] = [
  'plinth_vault_is_whole',
  'plinth_vault_open',
  'plinth_vault_seal',
]

/** Event triggers are the superuser's alone. */
export const eventTriggers: readonly string[] = [
  'plinth_kept_objects',
  'plinth_new_tables',
  'plinth_schema_change',
  'plinth_schema_drop',
]

/** Settings of logins that the customer can neither be nor change. */
export const roleSettings: Record<string, readonly string[]> = {
  supabase_admin: [],
  supabase_auth_admin: ['search_path=auth', 'idle_in_transaction_session_timeout=60s'],
  supabase_storage_admin: ['search_path=storage'],
  plinth_storage: ['role=supabase_storage_admin', 'search_path=storage'],
  plinth_realtime: ['role=supabase_realtime_admin', 'statement_timeout=10s'],
  plinth_sql: ['role=postgres', 'createrole_self_grant=set, inherit'],
  plinth_read_only: ['default_transaction_read_only=on'],
  plinth_backup_reader: [],
  plinth_replicator: [],
  authenticator_anon: ['role=anon', 'statement_timeout=3s'],
  authenticator_authenticated: ['role=authenticated', 'statement_timeout=8s'],
  authenticator_service_role: ['role=service_role'],
}

/** Tables of the catalogue with verifiers of passwords, secrets, or values of everybody's rows. */
export const catalogGrants: readonly string[] = [
  'pg_authid',
  'pg_shadow',
  'pg_statistic',
  'pg_user_mapping',
  'pg_largeobject',
  'pg_hba_file_rules',
  'pg_ident_file_mappings',
  'pg_file_settings',
]

/** Settings of the server that the customer may set for roles and databases. */
export const parameterGrants = /^(?:session_replication_role|pgrst\.\w+)$/
