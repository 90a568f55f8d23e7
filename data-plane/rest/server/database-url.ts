import { readFileSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import {
  isTlsMode,
  tlsModes,
  tlsWays,
  type Certificates,
  type TlsWay,
} from '#kit/postgres/tls/tls-modes'

/** The address cannot be used; the message says why. */
export class DatabaseUrlError extends Error {}

/** How a database is entered: where it is and as whom, and how its server is asked for TLS. */
export type DatabaseLogin = { config: ClientConfig; ways: readonly TlsWay[] }

/** What an address says, with the parameters of TLS as they stand in it. */
type Read = { config: ClientConfig; tls: Map<string, string> }

const shape =
  /^postgres(?:ql)?:\/\/(?:([^:@/?]*)(?::([^/?]*))?@)?(\[[\da-f:]+\]|[^:/?]*)(?::(\d*))?(?:\/([^?]*))?(?:\?(.*))?$/i

/** `name = value` of a list of them; a value with blanks stands in quotes, and a backslash takes the next sign as it is. */
const pair = /\s*(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s'\\]|\\.)*))(?=\s|$)/gsy

/** The other form that libpq takes: `host=db.example port=5433 dbname=app`. */
function readPairs(text: string): Read | undefined {
  const read: Read = { config: {}, tls: new Map() }
  let end = 0
  for (const match of text.matchAll(pair)) {
    const [whole, name = '', quoted, bare = ''] = match
    add(read, name, (quoted ?? bare).replaceAll(/\\(.)/gs, '$1'))
    end = match.index + whole.length
  }
  return end > 0 && text.slice(end).trim() === '' ? read : undefined
}

/**
 * Reads the address of a database as libpq does (documentation, "Connection Strings"): `postgresql://user:password@host:port/name`,
 * each part optional, further ones as a query; or the same as `name=value` with blanks between. What it leaves out comes from the
 * environment (PGHOST, PGUSER, PGSSLMODE and so on).
 * @throws DatabaseUrlError
 */
export function readDatabaseUrl(url: string): DatabaseLogin {
  const { config, tls } = readPairs(url) ?? readUrl(url)
  // A socket of the same machine knows no TLS, whatever is asked for (as libpq has it).
  const isSocket = /^[/@]/.test(config.host ?? process.env.PGHOST ?? '')
  return { config, ways: isSocket ? [false] : waysOf(tls) }
}

function readUrl(url: string): Read {
  const match = shape.exec(url)
  if (!match)
    throw new DatabaseUrlError('must be an address such as postgres://user:password@host:5432/name')
  const [user, password, host, port, name] = match.slice(1, 6).map(decoded)
  const config: ClientConfig = {
    ...(user ? { user } : {}),
    ...(password ? { password } : {}),
    ...(host ? { host: host.replace(/^\[(.*)\]$/, '$1') } : {}),
    ...(port ? { port: portOf(port) } : {}),
    ...(name ? { database: name } : {}),
  }
  const read: Read = { config, tls: new Map() }
  for (const [parameter, value] of new URLSearchParams(match[6])) add(read, parameter, value)
  return read
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    throw new DatabaseUrlError('has a percent sign that is not followed by two hexadecimal digits')
  }
}

function portOf(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new DatabaseUrlError(`has a port that is none: ${text}`)
}

/** What says how libpq does something that is done otherwise here, and asks for nothing that is missing then. */
const withoutEffect = new Set([
  'client_encoding',
  'fallback_application_name',
  'gsslib',
  'keepalives_count',
  'keepalives_interval',
  'krbsrvname',
  'load_balance_hosts',
  'sslcompression',
  'sslsni',
  'tcp_user_timeout',
])
/** The same of some of their values: others ask for what is not here, and must not be passed over in silence. */
const withoutEffectAs: Record<string, readonly string[]> = {
  channel_binding: ['disable', 'prefer'],
  gssencmode: ['disable', 'prefer'],
  replication: ['false', 'off', 'no', '0'],
  sslnegotiation: ['postgres'],
  // One host is what it is; a standby that is asked to write says so itself.
  target_session_attrs: ['any', 'read-write', 'primary', 'prefer-standby'],
}
const ofTls = new Set(['sslmode', 'sslrootcert', 'sslcert', 'sslkey'])

function add({ config, tls }: Read, parameter: string, value: string): void {
  if (withoutEffect.has(parameter)) return
  const harmless = withoutEffectAs[parameter]
  if (harmless?.includes(value)) return
  if (harmless) throw new DatabaseUrlError(`cannot have ${parameter}=${value} here`)
  if (ofTls.has(parameter)) {
    tls.set(parameter, value)
    return
  }
  switch (parameter) {
    case 'host':
    case 'user':
    case 'password':
    case 'options':
      config[parameter] = value
      return
    case 'application_name':
      config.application_name = value
      return
    case 'connect_timeout':
      config.connectionTimeoutMillis = Number(value) * 1000
      return
    case 'dbname':
      config.database = value
      return
    case 'keepalives':
      config.keepAlive = value !== '0'
      return
    case 'keepalives_idle':
      config.keepAliveInitialDelayMillis = Number(value) * 1000
      return
    case 'port':
      config.port = portOf(value)
      return
    default:
      throw new DatabaseUrlError(`has a parameter that is not known here: ${parameter}`)
  }
}

function waysOf(tls: Map<string, string>): readonly TlsWay[] {
  const mode = tls.get('sslmode') ?? process.env.PGSSLMODE ?? 'prefer'
  if (!isTlsMode(mode))
    throw new DatabaseUrlError(`knows the sslmodes ${tlsModes.join(', ')}, not ${mode}`)
  const certificates: Certificates = {}
  const root = tls.get('sslrootcert') ?? process.env.PGSSLROOTCERT
  // What the system trusts is what is trusted where nothing is said; libpq then wants the name looked at as well.
  if (root === 'system') return tlsWays('verify-full')
  if (root) certificates.ca = fileOf('sslrootcert', root)
  const [cert, key] = [tls.get('sslcert'), tls.get('sslkey')]
  if (cert) certificates.cert = fileOf('sslcert', cert)
  if (key) certificates.key = fileOf('sslkey', key)
  return tlsWays(mode, certificates)
}

function fileOf(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new DatabaseUrlError(`has ${parameter}=${file}, which cannot be read`)
  }
}
