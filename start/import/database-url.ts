import { readFileSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import { UsageError } from '../manage/manage-word.ts'

/** How TLS is used, in the words of libpq: `prefer` takes it where the server has it, and looks at no certificate. */
type TlsMode = 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full'
const tlsModes: readonly string[] = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full']
const isTlsMode = (text: string): text is TlsMode => tlsModes.includes(text)

export type DatabaseAddress = {
  host: string
  port: number
  user: string
  password: string
  database: string
  tls: TlsMode
  /** A file with certificates to trust besides those of the system. */
  rootCertificate?: string
}

const known = new Set(['sslmode', 'sslrootcert'])

/** @throws UsageError, whose message never holds the password */
export function databaseAddress(text: string, flag: string): DatabaseAddress {
  const wrong = (why: string) => new UsageError(`${flag}: ${why}`)
  if (!URL.canParse(text)) throw wrong('this is no address of a database')
  const url = new URL(text)
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')
    throw wrong('the address must begin with postgresql://')
  if (url.hostname === '') throw wrong('the address names no host')
  if (url.username === '') throw wrong('the address names no user')
  for (const name of url.searchParams.keys())
    if (!known.has(name)) throw wrong(`"${name}" is not understood; sslmode and sslrootcert are`)
  const tls = url.searchParams.get('sslmode') ?? 'prefer'
  if (!isTlsMode(tls)) throw wrong(`sslmode is one of ${tlsModes.join(', ')}`)
  const port = url.port === '' ? 5432 : Number(url.port)
  if (port === 6543 && url.hostname.endsWith('.pooler.supabase.com')) {
    throw wrong(
      'port 6543 is the transaction pooler, which keeps no session; take the session pooler, port 5432',
    )
  }
  const rootCertificate = url.searchParams.get('sslrootcert')
  try {
    return {
      host: decodeURIComponent(url.hostname).replace(/^\[|\]$/g, ''),
      port,
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database: decodeURIComponent(url.pathname.slice(1)) || 'postgres',
      tls,
      ...(rootCertificate === null ? {} : { rootCertificate }),
    }
  } catch (error) {
    throw new UsageError(
      `${flag}: user, password and database must be percent-encoded where they hold a %`,
      { cause: error },
    )
  }
}

/** Names a database without its password. */
export const addressLabel = ({ user, host, port, database }: DatabaseAddress) =>
  `${user}@${host}:${port}/${database}`

/** What the driver takes; `prefer` is tried with TLS first (connections.ts). @throws UsageError for a file that is not there */
export function clientConfig(address: DatabaseAddress, withTls: boolean): ClientConfig {
  const { tls, rootCertificate, ...login } = address
  return {
    ...login,
    connectionTimeoutMillis: 20_000,
    keepAlive: true,
    ...(withTls ? { ssl: tlsOptions(tls, rootCertificate) } : {}),
  }
}

function tlsOptions(tls: TlsMode, file: string | undefined) {
  const verified = tls === 'verify-ca' || tls === 'verify-full'
  if (!verified) return { rejectUnauthorized: false }
  const ca = file === undefined ? {} : { ca: certificate(file) }
  // verify-ca asks who signed the certificate and not whose name is in it.
  return { ...ca, ...(tls === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}) }
}

function certificate(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`sslrootcert: ${file} cannot be read`, { cause: error })
  }
}
