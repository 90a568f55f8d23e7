import { DatabaseUrlError, readDatabaseUrl, type DatabaseLogin } from './database-url.ts'
import { readKeys, SecretError, type JwtKeys } from './jwt-keys.ts'
import { parseRoleClaim, type RoleClaim } from './role-claim.ts'
import type { Schema } from '../catalog/schema.ts'
import { flagOf, listOf, settingNamed, settingPrefix, settingTable } from './setting-table.ts'

/** How the data API is served alone. */
export type ServerSettings = {
  database: DatabaseLogin
  anonRole: string | undefined
  schemas: readonly string[]
  extraSearchPath: readonly string[]
  /** Connections for requests. */
  pool: number
  poolWaitMs: number
  poolIdleMs: number
  /** Whether settings are read from the database too, and the function that sets them before. */
  fromDatabase: boolean
  preConfig: string | undefined
  keys: JwtKeys | undefined
  roleClaim: RoleClaim
  /** What the requests look up by the names of settings in a database: `db_tx_end`. */
  options: Schema['options']
  /** Settings that every request has: `app.settings.name`. */
  everyRequest: readonly (readonly [name: string, value: string])[]
  host: string
  port: number
  /** Listened on in place of host and port. */
  unixSocket: { path: string; mode: number } | undefined
  /** Where it says whether it lives and is ready. */
  admin: { host: string; port: number } | undefined
  /** The same on a socket, in place of host and port. */
  adminSocket: { path: string; mode: number } | undefined
  /** A header of requests that answers have too. */
  traceHeader: string | undefined
  /** The notices that have the schema read again; undefined: none are listened to. */
  channel: string | undefined
  /** Undefined: pages of every origin may call. */
  allowedOrigins: readonly string[] | undefined
  /** Bytes. */
  largestBody: number
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug'
}

/** Values by the names of settings, as text. */
export type SettingValues = ReadonlyMap<string, string>

/** One line that names the setting. */
export class SettingError extends Error {}

/** Settings that the work of a request reads under their own names. */
const optionNames = [
  'db-pre-request',
  'db-max-rows',
  'db-tx-end',
  'db-aggregates-enabled',
  'db-plan-enabled',
  'db-root-spec',
  'db-hoisted-tx-settings',
  'jwt-aud',
  'openapi-mode',
  'openapi-server-proxy-uri',
  'openapi-security-active',
  'server-timing-enabled',
]

/**
 * Reads values under any of their names. An empty one counts as not set, but for the extra search path, which can be
 * empty. @throws SettingError
 */
export function readServerSettings(given: SettingValues): ServerSettings {
  const values = named(given)
  const text = (name: string) => values.get(name)
  const flag = (name: string, otherwise: boolean) => flagOf(text(name) ?? '') ?? otherwise
  const number = (name: string, otherwise: number) => Number(text(name) ?? otherwise)
  const level = text('log-level') ?? 'error'
  const origins = text('server-cors-allowed-origins')
  const host = text('server-host') ?? '!4'
  const socketAt = (name: string) => {
    const path = text(name)
    const mode = Number.parseInt(text(`${name}-mode`) ?? '660', 8)
    return path === undefined ? undefined : { path, mode }
  }
  const admin = {
    host: listeningHost(text('admin-server-host') ?? host),
    port: number('admin-server-port', 0),
  }
  return {
    database: databaseOf(text('db-uri') ?? 'postgresql://'),
    anonRole: text('db-anon-role'),
    schemas: listOf(text('db-schemas') ?? 'public'),
    extraSearchPath: listOf(given.get('db-extra-search-path') ?? 'public'),
    pool: number('db-pool', 10),
    poolWaitMs: number('db-pool-acquisition-timeout', 10) * 1000,
    poolIdleMs: number('db-pool-max-idletime', 30) * 1000,
    fromDatabase: flag('db-config', true),
    preConfig: text('db-pre-config'),
    keys: keysOf(text('jwt-secret'), flag('jwt-secret-is-base64', false)),
    // The table has checked that it is a path.
    roleClaim: parseRoleClaim(text('jwt-role-claim-key') ?? '.role') ?? [],
    options: new Map(optionNames.flatMap((name) => optionOf(name, text(name)))),
    everyRequest: [...values].filter(([name]) => name.startsWith(settingPrefix)),
    host: listeningHost(host),
    port: number('server-port', 3000),
    unixSocket: socketAt('server-unix-socket'),
    adminSocket: socketAt('admin-server-unix-socket'),
    admin: text('admin-server-port') === undefined ? undefined : admin,
    traceHeader: text('server-trace-header')?.toLowerCase(),
    channel: flag('db-channel-enabled', true) ? (text('db-channel') ?? 'pgrst') : undefined,
    allowedOrigins: origins === undefined ? undefined : listOf(origins),
    largestBody: number('server-max-body-size', 32 * 1024 * 1024),
    // The table has checked that it is one of these.
    logLevel: level === 'crit' ? 'fatal' : (level as ServerSettings['logLevel']),
  }
}

function named(given: SettingValues): Map<string, string> {
  const values = new Map<string, string>()
  for (const [asked, value] of given) {
    if (value === '') continue
    const name = settingNamed(asked)
    if (name === undefined) throw new SettingError(`${asked}: there is no such setting`)
    checkSetting(asked, name, value)
    // Of two names for one setting, the newer one is meant.
    if (asked === name || !values.has(name)) values.set(name, value)
  }
  return values
}

/** `label` is how whoever gave the value knows the setting. @throws SettingError */
export function checkSetting(label: string, name: string, value: string): void {
  const wrong = settingTable[name]?.check?.(value)
  if (wrong !== undefined) throw new SettingError(`${label}: ${wrong}`)
}

function databaseOf(url: string): DatabaseLogin {
  try {
    return readDatabaseUrl(url)
  } catch (error) {
    if (error instanceof DatabaseUrlError) throw new SettingError(`db-uri: ${error.message}`)
    throw error
  }
}

/** Flags as the requests compare them. */
function optionOf(name: string, value: string | undefined): [string, string][] {
  if (value === undefined) return []
  const isFlag = name.endsWith('-enabled') || name.endsWith('-active')
  return [[name.replaceAll('-', '_'), isFlag ? String(flagOf(value)) : value]]
}

function keysOf(secret: string | undefined, isBase64: boolean): JwtKeys | undefined {
  if (secret === undefined) return undefined
  try {
    return readKeys(isBase64 ? fromBase64(secret.trim()) : Buffer.from(secret))
  } catch (error) {
    if (error instanceof SecretError) throw new SettingError(`jwt-secret: ${error.message}`)
    throw error
  }
}

/** Both alphabets of base64, and a dot for the sign that fills up, which addresses cannot hold. */
function fromBase64(text: string): Buffer {
  if (!/^[\w+/-]+[=.]{0,2}$/.test(text)) throw new SecretError('is no base64')
  return Buffer.from(text.replaceAll('.', '='), 'base64')
}

/** Special names of PostgREST for all addresses, of one family or of any. */
const listeningHost = (host: string): string =>
  ({ '*': '0.0.0.0', '*4': '0.0.0.0', '!4': '0.0.0.0', '*6': '::', '!6': '::' })[host] ?? host
