import type { HideableFeature } from '../features.ts'

/** A question to begin with, in the older dialect. */
export type LogTemplate = {
  /** In the address, and for who looks for it. */
  id: string
  name: string
  /** What it tells, as a sentence. */
  about: string
  sql: string
  /** Operators can hide it by this name. */
  feature?: HideableFeature
}

const ofRequest = `from edge_logs
cross join unnest(metadata) as m
cross join unnest(m.request) as request
cross join unnest(m.response) as response`

const ofPostgres = `from postgres_logs
cross join unnest(metadata) as m
cross join unnest(m.parsed) as parsed`

/** The templates of the logs explorer (facts §9), those of the database first. */
export const logTemplates: readonly LogTemplate[] = [
  {
    id: 'recent-errors',
    name: 'Recent errors',
    about: 'The latest statements and connections that the database refused.',
    sql: `select timestamp, parsed.error_severity, parsed.user_name, event_message
${ofPostgres}
where parsed.error_severity in ('ERROR', 'FATAL', 'PANIC')
order by timestamp desc
limit 100`,
  },
  {
    id: 'commits',
    name: 'Commits',
    about: 'The latest commits. The database writes them while it logs statements.',
    sql: `select timestamp, parsed.user_name, parsed.session_id, event_message
${ofPostgres}
where parsed.command_tag = 'COMMIT'
order by timestamp desc
limit 100`,
  },
  {
    id: 'commits-by-user',
    name: 'Commits by user',
    about: 'How many commits each database role made, while the database logs statements.',
    sql: `select parsed.user_name, count(*) as commits
${ofPostgres}
where parsed.command_tag = 'COMMIT'
group by parsed.user_name
order by commits desc
limit 100`,
  },
  {
    id: 'metadata-ip',
    name: 'Metadata IP',
    about: 'IP addresses that called the APIs, and how often.',
    feature: 'logs:show_metadata_ip_template',
    sql: `select headers.x_real_ip as ip, count(*) as requests
from edge_logs
cross join unnest(metadata) as m
cross join unnest(m.request) as request
cross join unnest(request.headers) as headers
where headers.x_real_ip is not null
group by ip
order by requests desc
limit 100`,
  },
  {
    id: 'requests-by-country',
    name: 'Requests by country',
    about: 'Where requests come from, as far as the proxy in front of the platform says so.',
    sql: `select cf.country, count(*) as requests
from edge_logs
cross join unnest(metadata) as m
cross join unnest(m.request) as request
cross join unnest(request.cf) as cf
group by cf.country
order by requests desc
limit 100`,
  },
  {
    id: 'slow-response-time',
    name: 'Slow response time',
    about: 'Requests that took longer than a second, the slowest first.',
    sql: `select timestamp, request.method, request.path, response.status_code, response.origin_time
${ofRequest}
where response.origin_time > 1000
order by response.origin_time desc
limit 100`,
  },
  {
    id: '500-request-codes',
    name: '500 request codes',
    about: 'Requests that a service could not answer, with their status.',
    sql: `select timestamp, response.status_code, request.method, request.path, request.search
${ofRequest}
where response.status_code >= 500
order by timestamp desc
limit 100`,
  },
  {
    id: 'top-paths',
    name: 'Top paths',
    about: 'The paths that are called most, and how long they take on average.',
    sql: `select request.path, count(*) as requests, round(avg(response.origin_time)) as average_ms
${ofRequest}
group by request.path
order by requests desc
limit 100`,
  },
  {
    id: 'rest-requests',
    name: 'REST requests',
    about: 'The latest requests to the data API.',
    sql: `select timestamp, request.method, request.path, request.search, response.status_code
${ofRequest}
where starts_with(request.path, '/rest/v1/')
order by timestamp desc
limit 100`,
  },
  {
    id: 'errors',
    name: 'Errors',
    about: 'Errors of the database by code and message, the most frequent first.',
    sql: `select parsed.sql_state_code, event_message, count(*) as times, max(timestamp) as last_seen
${ofPostgres}
where parsed.error_severity in ('ERROR', 'FATAL', 'PANIC')
group by parsed.sql_state_code, event_message
order by times desc
limit 100`,
  },
  {
    id: 'error-count-by-user',
    name: 'Error count by user',
    about: 'How many errors each database role met.',
    sql: `select parsed.user_name, count(*) as errors
${ofPostgres}
where parsed.error_severity in ('ERROR', 'FATAL', 'PANIC')
group by parsed.user_name
order by errors desc
limit 100`,
  },
  {
    id: 'auth-endpoint-events',
    name: 'Auth endpoint events',
    about: 'The latest answers of Auth, with their status and error code.',
    sql: `select timestamp, m.method, m.path, m.status, m.error_code, event_message
from auth_logs
cross join unnest(metadata) as m
where m.path is not null
order by timestamp desc
limit 100`,
  },
  {
    id: 'storage-object-requests',
    name: 'Storage object requests',
    about: 'Reads and changes of files over time, by method.',
    sql: `select timestamp_trunc(timestamp, minute) as timestamp, request.method, count(*) as requests
${ofRequest}
where starts_with(request.path, '/storage/v1/object/')
group by timestamp, request.method
order by timestamp desc
limit 1000`,
  },
  {
    id: 'storage-egress-requests',
    name: 'Storage egress requests',
    about: 'The files that sent most bytes to clients.',
    sql: `select request.path, count(*) as requests, sum(headers.content_length) as bytes
${ofRequest}
cross join unnest(response.headers) as headers
where request.method = 'GET' and regexp_contains(request.path, '^/storage/v1/(object|render)/')
group by request.path
order by bytes desc
limit 100`,
  },
  {
    id: 'storage-top-cache-misses',
    name: 'Storage top cache misses',
    about: 'The files that were most often read past the cache.',
    sql: `select request.path, count(*) as misses
${ofRequest}
cross join unnest(response.headers) as headers
where request.method = 'GET' and starts_with(request.path, '/storage/v1/object/')
  and headers.cf_cache_status in ('MISS', 'NONE/UNKNOWN', 'EXPIRED', 'BYPASS', 'DYNAMIC')
group by request.path
order by misses desc
limit 100`,
  },
]
