import type { ClientConfig } from 'pg'

/** The address cannot be used; the message says why. */
export class DatabaseUrlError extends Error {}

const shape =
  /^postgres(?:ql)?:\/\/(?:([^:@/?]*)(?::([^/?]*))?@)?(\[[\da-f:]+\]|[^:/?]*)(?::(\d*))?(?:\/([^?]*))?(?:\?(.*))?$/i

/**
 * Reads the address of a database as libpq does (documentation §32.1.1.2): `postgresql://user:password@host:port/name`,
 * each part optional, further ones as a query. What it leaves out comes from the environment (PGHOST, PGUSER and so on).
 * @throws DatabaseUrlError
 */
export function readDatabaseUrl(url: string): ClientConfig {
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
