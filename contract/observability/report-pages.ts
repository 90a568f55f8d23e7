import type { ChartKey } from './report-charts.ts'

type Report = { title: string; about: string; charts: readonly ChartKey[] }

/** The reports by their names in addresses, in the order in which they are listed. */
export const reportPages = {
  api: {
    title: 'API',
    about: 'Requests to all services of the project',
    charts: [
      'api_requests',
      'api_errors',
      'api_speed',
      'api_traffic',
      'api_top_paths',
      'api_slow_paths',
      'api_failing_paths',
    ],
  },
  auth: {
    title: 'Auth',
    about: 'Sign-ins and requests to Auth',
    charts: [
      'auth_requests',
      'auth_sign_ins',
      'auth_providers',
      'auth_errors',
      'auth_speed',
      'auth_traffic',
    ],
  },
  storage: {
    title: 'Storage',
    about: 'Requests to Storage, and how well its files are cached',
    charts: [
      'storage_requests',
      'storage_errors',
      'storage_speed',
      'storage_traffic',
      'storage_cache',
      'storage_cache_misses',
    ],
  },
  database: {
    title: 'Database',
    about: 'What the database server uses of its machine',
    charts: [
      'database_cpu',
      'database_memory',
      'database_connections',
      'database_size',
      'database_disk_io',
      'database_restarts',
      'database_largest_tables',
      'database_traffic',
    ],
  },
  'edge-functions': {
    title: 'Edge Functions',
    about: 'Calls of edge functions',
    charts: [
      'functions_invocations',
      'functions_errors',
      'functions_speed',
      'functions_traffic',
      'functions_versions',
    ],
  },
  postgrest: {
    title: 'Data API',
    about: 'Requests to the REST data API',
    charts: [
      'rest_requests',
      'rest_errors',
      'rest_speed',
      'rest_traffic',
      'rest_top_paths',
      'rest_slow_paths',
    ],
  },
  realtime: {
    title: 'Realtime',
    about: 'Clients, messages and refusals of Realtime',
    charts: ['realtime_connections', 'realtime_messages', 'realtime_events', 'realtime_traffic'],
  },
  connections: {
    title: 'Connections',
    about: 'Who is connected to the database server',
    charts: [
      'database_connections',
      'connections_direct',
      'connections_by_role',
      'database_traffic',
    ],
  },
} as const satisfies Record<string, Report>
export type ReportKey = keyof typeof reportPages

// The keys of a constant are its own.
export const reportKeys = Object.keys(reportPages) as ReportKey[]
export const reportOf = (key: ReportKey): Report => reportPages[key]
