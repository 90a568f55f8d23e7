import { serverConnections } from '#contract/projects/compute-sizes'
import { durabilityFloor } from '#kit/postgres/floor'
import { preloadSetting } from '#kit/postgres/builds/preload'
import { logLinePrefix } from './logs/server-log-lines.ts'

/**
 * Server settings of every local project (config.ts). Small, so that an idle project costs little
 * memory and disk; a busy one grows by its connections. What differs per project goes on the command line.
 */
export const serverSettings: Record<string, string> = {
  ...durabilityFloor,
  // Settings are the platform's, whoever is superuser.
  allow_alter_system: 'off',
  // Memory: what is not touched is not used. A project's size says more on the command line (bounds/size.ts).
  shared_buffers: '32MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  huge_pages: 'off',
  dynamic_shared_memory_type: 'posix',
  jit: 'off',
  'pg_stat_statements.max': '1000',
  // Statements about roles may hold passwords, so only queries and data changes are counted.
  'pg_stat_statements.track_utility': 'off',
  shared_preload_libraries: preloadSetting(),
  // Disk: queries may not fill it with temporary files, nor a forgotten replication slot with WAL.
  temp_file_limit: '2GB',
  min_wal_size: '2MB',
  max_wal_size: '256MB',
  max_slot_wal_keep_size: '1GB',
  wal_level: 'logical',
  max_wal_senders: '10',
  max_replication_slots: '10',
  // A project publishes its changes but subscribes to nobody's, so that background process is not started.
  max_logical_replication_workers: '0',
  max_worker_processes: '6',
  max_parallel_workers: '4',
  autovacuum_max_workers: '2',
  password_encryption: 'scram-sha-256',
  // A failed statement is not repeated in the log: it may hold a password.
  log_min_error_statement: 'panic',
  log_line_prefix: logLinePrefix,
  log_timezone: 'UTC',
  timezone: 'UTC',
  datestyle: 'iso, mdy',
  lc_messages: 'C',
  lc_monetary: 'C',
  lc_numeric: 'C',
  lc_time: 'C',
  default_text_search_config: 'pg_catalog.english',
}

/**
 * Places for this many connections of the customer, and beside them those of the platform's logins
 * (data-plane/schema/012-connections.sql) and of the superuser, so that nobody takes those of another.
 */
export function connectionSettings(direct: number): Record<string, string> {
  const { all, ours, ofSuperuser } = serverConnections(direct)
  return {
    max_connections: String(all),
    reserved_connections: String(ours),
    superuser_reserved_connections: String(ofSuperuser),
  }
}

/** Libraries of builds that are loaded at the start, beside our own. */
export const preloadSettings = (libraries: readonly string[]): Record<string, string> =>
  libraries.length === 0 ? {} : { shared_preload_libraries: preloadSetting(libraries) }

export function configText(settings: Record<string, string>): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`)
  return [
    '# Written by the platform; the command line adds what differs per project.',
    ...lines,
    '',
  ].join('\n')
}

/** How read replicas come in (replicas/). */
export const replicationRule = 'local   replication  plinth_replicator              scram-sha-256'

/**
 * The superuser never over TCP; everyone else with a password, from the given networks (CIDR). A role without a password
 * cannot log in. The server listens on its own machine only, which is the network unless told.
 */
export const accessRules = (networks: readonly string[] = ['127.0.0.1/32']): string =>
  [
    '# Written by the platform.',
    'local   all          all                            scram-sha-256',
    'local   replication  supabase_admin                 scram-sha-256',
    replicationRule,
    'host    all          supabase_admin  all            reject',
    ...networks.map(
      (network) => `host    all          all             ${network.padEnd(14)} scram-sha-256`,
    ),
    '',
  ].join('\n')

/**
 * While a server has no passwords yet: the superuser comes in without one, over a unix socket in a folder that only
 * the platform can enter. Replaced by `accessRules` before anyone is told about the server.
 */
export const firstAccessRules = `local   all          supabase_admin                 trust
${accessRules()}`

/** The superuser and nobody else, while a project is brought up to this version or adopted. */
export const aloneAccessRules = `# Written by the platform.
local   all          supabase_admin                 trust
local   all          all                            reject
`
