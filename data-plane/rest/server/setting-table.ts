import { parseRoleClaim } from './role-claim.ts'

/** What is wrong with a value, or undefined. */
type Check = (value: string) => string | undefined

export type Setting = {
  /** Absent: any text will do. */
  check?: Check
  /** Its older names. */
  alias?: string
  /** It can stand in the database itself, as `pgrst.` and its name with underscores. */
  inDatabase?: true
  /** Why it changes nothing here: it is known so that a configuration can be used as it is. */
  unneeded?: string
}

const whole =
  (least: number, max = Number.MAX_SAFE_INTEGER): Check =>
  (value) => {
    const fits = /^\d{1,16}$/.test(value) && Number(value) >= least && Number(value) <= max
    if (fits) return undefined
    const end = max === Number.MAX_SAFE_INTEGER ? ' or more' : ` to ${max}`
    return `must be a number, ${least}${end}`
  }

const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value) ? undefined : `must be one of ${values.join(', ')}`

/** `true` and `1`, `false` and `0`, in any case. */
export const flagOf = (value: string): boolean | undefined =>
  ({ true: true, '1': true, false: false, '0': false })[value.toLowerCase()]

const flag: Check = (value) => (flagOf(value) === undefined ? 'must be true or false' : undefined)

export const listOf = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const schemas: Check = (value) => {
  const internal = listOf(value).find((name) => ['pg_catalog', 'information_schema'].includes(name))
  if (internal) return `cannot expose ${internal}`
  return listOf(value).length > 0 ? undefined : 'must name a schema'
}

const httpAddress: Check = (value) =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
    ? undefined
    : 'must be an address such as https://example.com:8443/path'

/** A colon is only for addresses (RFC 7519 §2, StringOrURI). */
const audience: Check = (value) =>
  value.includes(':') && !URL.canParse(value) ? 'must be a text or an address' : undefined

const roleClaim: Check = (value) =>
  parseRoleClaim(value) ? undefined : 'must be a path such as .role or .app."my roles"[0]'

const mode: Check = (value) =>
  /^[67][0-7]{2}$/.test(value) ? undefined : 'must be a mode of a file, 600 to 777'

/** Every setting of the data API served alone, by PostgREST's own names. docs/operating.md explains each. */
export const settingTable: Readonly<Record<string, Setting>> = {
  'db-uri': {},
  'db-schemas': { check: schemas, alias: 'db-schema', inDatabase: true },
  'db-anon-role': { inDatabase: true },
  'db-extra-search-path': { inDatabase: true },
  'db-pre-request': { alias: 'pre-request', inDatabase: true },
  'db-max-rows': { check: whole(1), alias: 'max-rows', inDatabase: true },
  'db-tx-end': {
    check: oneOf('commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'),
    inDatabase: true,
  },
  'db-aggregates-enabled': { check: flag, inDatabase: true },
  'db-plan-enabled': { check: flag, inDatabase: true },
  'db-root-spec': { alias: 'root-spec', inDatabase: true },
  'db-hoisted-tx-settings': { inDatabase: true },
  'db-channel': {},
  'db-channel-enabled': { check: flag },
  'db-prepared-statements': {
    check: flag,
    unneeded: 'statements are prepared anew wherever a connection has lost them',
  },
  'db-timezone-enabled': {
    unneeded: 'time zones that a request prefers are checked by the database',
  },
  'db-pool-automatic-recovery': {
    check: flag,
    unneeded: 'a database that was away is always used again when it is back',
  },
  'db-pool-max-lifetime': {
    check: whole(1),
    unneeded: 'connections end when nobody uses them (db-pool-max-idletime)',
  },
  'db-pool': { check: whole(1, 10_000) },
  'db-pool-acquisition-timeout': { check: whole(1, 3600) },
  'db-pool-max-idletime': { check: whole(1), alias: 'db-pool-timeout' },
  'db-config': { check: flag, alias: 'db-load-guc-config' },
  'db-pre-config': {},
  'jwt-secret': { inDatabase: true },
  'jwt-secret-is-base64': { check: flag, alias: 'secret-is-base64', inDatabase: true },
  'jwt-aud': { check: audience, inDatabase: true },
  'jwt-role-claim-key': { check: roleClaim, alias: 'role-claim-key', inDatabase: true },
  'jwt-cache-max-lifetime': {
    check: whole(0),
    unneeded: 'a token that was verified is remembered until it expires',
  },
  'jwt-cache-max-entries': {
    check: whole(0),
    unneeded: 'how many verified tokens are remembered is bounded already',
  },
  'openapi-mode': {
    check: oneOf('follow-privileges', 'ignore-privileges', 'disabled'),
    inDatabase: true,
  },
  'openapi-server-proxy-uri': {
    check: httpAddress,
    alias: 'server-proxy-uri',
    inDatabase: true,
  },
  'openapi-security-active': { check: flag, inDatabase: true },
  'server-timing-enabled': { check: flag, inDatabase: true },
  'server-host': {},
  'server-port': { check: whole(0, 65_535) },
  'server-unix-socket': {},
  'server-unix-socket-mode': { check: mode },
  'server-trace-header': { inDatabase: true },
  'server-reuseport': {
    check: flag,
    unneeded: 'one process serves a port; others have ports of their own, behind a proxy',
  },
  'admin-server-host': {},
  'admin-server-port': { check: whole(0, 65_535) },
  'admin-server-unix-socket': {},
  'admin-server-unix-socket-mode': { check: mode },
  'admin-server-config-enabled': {
    check: flag,
    unneeded: 'settings are never told over HTTP, as they hold what is secret',
  },
  'server-cors-allowed-origins': { inDatabase: true },
  'server-max-body-size': { check: whole(1, 1_000_000_000) },
  'db-use-legacy-gucs': {
    check: flag,
    unneeded: 'claims, headers and cookies are always told to the database as JSON',
  },
  'raw-media-types': {
    unneeded: 'a function that returns a media type answers with it',
  },
  'url-use-legacy-target-names': {
    check: flag,
    unneeded: 'conditions may name an embed by its relation or by its alias',
  },
  'log-query': {
    unneeded: 'statements are never logged, as they may hold what is secret',
  },
  'client-error-verbosity': {
    unneeded: 'errors are always told in full',
  },
  'log-level': { check: oneOf('crit', 'error', 'warn', 'info', 'debug') },
}

export const settingPrefix = 'app.settings.'

/** The setting that a name stands for, which may be an older one. */
export function settingNamed(name: string): string | undefined {
  if (Object.hasOwn(settingTable, name)) return name
  if (name.startsWith(settingPrefix) && name.length > settingPrefix.length) return name
  return Object.entries(settingTable).find(([, setting]) => setting.alias === name)?.[0]
}

/** Those of given settings that change nothing, each with the reason. */
export const unneededIn = (values: ReadonlyMap<string, string>): [name: string, reason: string][] =>
  [...values].flatMap(([name, value]): [string, string][] => {
    const reason = settingTable[name]?.unneeded
    return reason === undefined || value === '' ? [] : [[name, reason]]
  })
