import {
  logColumns,
  logSources,
  logSourceTable,
  type LogColumn,
  type LogSource,
} from './log-sources.ts'

/** Where the value of a field is: in a column, in `rest` under a key, or nowhere: this installation has nothing to tell there. */
export type FieldPlace =
  | {
      kind: 'column'
      column: LogColumn | 'level' | 'source' | 'event_message' | 'id'
      type: 'string' | 'number'
    }
  | { kind: 'rest'; key: string; type: 'string' | 'number' | 'boolean' }
  | { kind: 'absent'; type: 'string' | 'number' | 'boolean' }

/**
 * Fields that public templates ask for and that have no value here: what only a network of edge servers, a load balancer or
 * another program than ours could tell. They are empty, so that such templates run.
 */
const absent: Partial<Record<LogSource, string>> = {
  edge_logs: `identifier request.cf.asOrganization request.cf.asn:number
    request.cf.botManagement.corporateProxy:boolean request.cf.botManagement.ja3Hash request.cf.botManagement.score:number
    request.cf.botManagement.staticResource:boolean request.cf.botManagement.verifiedBot:boolean request.cf.city
    request.cf.clientTcpRtt:number request.cf.clientTrustScore:number request.cf.colo request.cf.continent
    request.cf.edgeRequestKeepAliveStatus:number request.cf.httpProtocol request.cf.latitude request.cf.longitude
    request.cf.metroCode request.cf.postalCode request.cf.region request.cf.timezone request.cf.tlsCipher
    request.cf.tlsClientAuth.certPresented request.cf.tlsClientAuth.certRevoked request.cf.tlsClientAuth.certVerified
    request.cf.tlsVersion request.headers.cf_ipcountry request.headers.x_forwarded_proto response.headers.cf_ray
    response.headers.content_location response.headers.content_range response.headers.date
    response.headers.sb_gateway_version response.headers.transfer_encoding response.headers.x_kong_proxy_latency`,
  auth_logs: `auth_event.actor_username auth_event.traits.user_email auth_event.traits.user_id auth_event.traits.user_phone auth_event.actor_via_sso:boolean
    component error host timestamp`,
  auth_audit_logs: `identifier host auth_audit_event.actor_name auth_audit_event.actor_via_sso:boolean
    auth_audit_event.created_at auth_audit_event.request_id auth_audit_event.user_agent`,
  storage_logs: `context.host context.pid:number project req.headers.accept req.headers.cf_connecting_ip req.headers.cf_ray
    req.headers.content_type req.headers.host req.headers.referer req.headers.x_client_info
    req.headers.x_forwarded_proto req.hostname req.remotePort:number tenantId rawError`,
  function_edge_logs: `project_ref request.headers.accept request.headers.content_length request.headers.host
    request.headers.user_agent request.host request.protocol response.headers.content_length
    response.headers.content_type response.headers.date response.headers.server response.headers.vary`,
  function_logs: `project_ref timestamp`,
  postgres_logs: `identifier host parsed.timestamp`,
  realtime_logs: `measurements.connected_cluster:number measurements.sum:number external_id`,
  postgrest_logs: `identifier host`,
  supavisor_logs: `context.application context.module instance_id project region type`,
  pgbouncer_logs: `file host project`,
}

/** Paths that name what every entry has. */
const common: Record<string, FieldPlace> = {
  id: { kind: 'column', column: 'id', type: 'string' },
  event_message: { kind: 'column', column: 'event_message', type: 'string' },
  level: { kind: 'column', column: 'level', type: 'string' },
  'metadata.level': { kind: 'column', column: 'level', type: 'string' },
  'metadata.msg': { kind: 'column', column: 'event_message', type: 'string' },
}

/** Alternative spellings of a field in public templates. */
const alsoCalled: Partial<Record<LogSource, Record<string, string>>> = {
  edge_logs: {
    'metadata.request.headers.cf_connecting_ip': 'metadata.request.headers.x_real_ip',
    'metadata.request.url': 'metadata.request.path',
  },
  function_edge_logs: { 'metadata.request.url': 'metadata.request.pathname' },
}

function placesOf(source: LogSource): ReadonlyMap<string, FieldPlace> {
  const places = new Map(Object.entries(common))
  for (const entry of (absent[source] ?? '').split(/\s+/).filter((each) => each !== '')) {
    const [path = '', type = 'string'] = entry.split(':')
    const known = type === 'number' || type === 'boolean' ? type : 'string'
    places.set(path === 'identifier' ? path : `metadata.${path}`, { kind: 'absent', type: known })
  }
  for (const { path, type, column } of logSourceTable[source].fields) {
    const place: FieldPlace =
      column === undefined
        ? { kind: 'rest', key: path.slice('metadata.'.length), type }
        : { kind: 'column', column, type: type === 'number' ? 'number' : 'string' }
    places.set(path, place)
  }
  for (const [path, known] of Object.entries(alsoCalled[source] ?? {})) {
    const place = places.get(known)
    if (place) places.set(path, place)
  }
  return places
}

/** All sources in one, as the newer dialect has them: columns by their own names, fields by the paths of their sources. */
function placesOfAll(): ReadonlyMap<string, FieldPlace> {
  const places = new Map<string, FieldPlace>()
  for (const source of logSources) {
    for (const [path, place] of placesOf(source)) {
      const known = places.get(path)
      if (!known || known.kind === 'absent') places.set(path, place)
    }
  }
  for (const [column, type] of Object.entries(logColumns)) {
    // The keys of a table of columns are columns; entries() has lost that.
    places.set(column, { kind: 'column', column: column as LogColumn, type })
  }
  // Runs of branches are told on their own page; there are no entries of them.
  places.set('metadata.workflow_run', { kind: 'absent', type: 'string' })
  places.set('severity_text', { kind: 'column', column: 'level', type: 'string' })
  return places.set('source', { kind: 'column', column: 'source', type: 'string' })
}

const made = new Map<LogSource | 'logs', ReadonlyMap<string, FieldPlace>>()

/**
 * The fields of a source, or of all (`logs`), by their paths in the older dialect, such as `metadata.request.method`; without
 * `timestamp`.
 */
export function fieldPlaces(source: LogSource | 'logs'): ReadonlyMap<string, FieldPlace> {
  const places = made.get(source) ?? (source === 'logs' ? placesOfAll() : placesOf(source))
  made.set(source, places)
  return places
}
