import type { ClientConfig } from 'pg'

/** The address cannot be used; the message says why. */
export class DatabaseUrlError extends Error {}

const shape =
  /^postgres(?:ql)?:\/\/(?:([^:@/?]*)(?::([^/?]*))?@)?(\[[\da-f:]+\]|[^:/?]*)(?::(\d*))?(?:\/([^?]*))?(?:\?(.*))?$/i

/** `name = value` of a list of them; a value with blanks stands in quotes, and a backslash takes the next sign as it is. */
const pair = /\s*(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s'\\]|\\.)*))(?=\s|$)/gsy

/** The other form that libpq takes: `host=db.example port=5433 dbname=app`. */
function readPairs(text: string): ClientConfig | undefined {
  const config: ClientConfig = {}
  let end = 0
  for (const match of text.matchAll(pair)) {
    const [whole, name = '', quoted, bare = ''] = match
    add(config, name, (quoted ?? bare).replaceAll(/\\(.)/gs, '$1'))
    end = match.index + whole.length
  }
  return end > 0 && text.slice(end).trim() === '' ? config : undefined
}

/**
 * Reads the address of a database as libpq does (documentation §32.1.1): `postgresql://user:password@host:port/name`,
 * each part optional, further ones as a query; or the same as `name=value` with blanks between. What it leaves out comes from the environment (PGHOST, PGUSER and so on).
 * @throws DatabaseUrlError
 */
export function readDatabaseUrl(url: string): ClientConfig {
  const match = shape.exec(url)
  const pairs = match ? undefined : readPairs(url)
  if (pairs) return pairs
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
  for (const [parameter, value] of new URLSearchParams(match[6])) add(config, parameter, value)
  return config
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

function add(config: ClientConfig, parameter: string, value: string): void {
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
    case 'port':
      config.port = portOf(value)
      return
    case 'sslmode':
      config.ssl = tlsOf(value)
      return
    default:
      throw new DatabaseUrlError(`has a parameter that is not known here: ${parameter}`)
  }
}

/** With `require` the connection is encrypted, whoever answers; `verify-full` also looks at the certificate. */
function tlsOf(mode: string): NonNullable<ClientConfig['ssl']> {
  if (mode === 'disable') return false
  if (mode === 'require') return { rejectUnauthorized: false }
  if (mode === 'verify-full') return true
  throw new DatabaseUrlError(`knows the sslmodes disable, require and verify-full, not ${mode}`)
}
