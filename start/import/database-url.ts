import { readFileSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import {
  isTlsMode,
  tlsModes,
  tlsWays,
  type TlsMode,
  type TlsWay,
} from '#kit/postgres/tls/tls-modes'
import { UsageError } from '../manage/manage-command.ts'

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
  if (!URL.canParse(text)) throw wrong('this is not a connection string')
  const url = new URL(text)
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')
    throw wrong('the connection string must begin with postgresql://')
  if (url.hostname === '') throw wrong('the connection string has no host')
  if (url.username === '') throw wrong('the connection string has no user')
  for (const name of url.searchParams.keys())
    if (!known.has(name))
      throw wrong(`unknown parameter "${name}"; known are sslmode and sslrootcert`)
  const tls = url.searchParams.get('sslmode') ?? 'prefer'
  if (!isTlsMode(tls)) throw wrong(`sslmode must be one of ${tlsModes.join(', ')}`)
  const port = url.port === '' ? 5432 : Number(url.port)
  if (port === 6543 && url.hostname.endsWith('.pooler.supabase.com')) {
    throw wrong(
      'port 6543 is the transaction pooler, which keeps no session; use the session pooler on port 5432',
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

/** What the driver takes, but for TLS. */
export function clientConfig(address: DatabaseAddress): ClientConfig {
  const { host, port, user, password, database } = address
  const timeouts = { connectionTimeoutMillis: 20_000, keepAlive: true }
  return { host, port, user, password, database, ...timeouts }
}

/** How its server is asked for TLS. @throws UsageError for a file that is not there */
export const waysOf = ({ tls, rootCertificate: file }: DatabaseAddress): readonly TlsWay[] =>
  tlsWays(tls, file === undefined ? {} : { ca: certificate(file) })

function certificate(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`sslrootcert: ${file} cannot be read`, { cause: error })
  }
}
