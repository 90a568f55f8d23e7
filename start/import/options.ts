import { refIn, UsageError, type Flags } from '../manage/manage-command.ts'
import { databaseAddress, type DatabaseAddress } from './database-url.ts'
import { parts, type Part } from './report.ts'

export type Options = {
  ref: string
  parts: readonly Part[]
  /** What is not imported because what it takes was not given, and what that is. */
  withheld: readonly { part: Part; needs: string }[]
  database: DatabaseAddress | undefined
  /** Of the source, without a slash at its end. */
  url: string | undefined
  serviceKey: string | undefined
  management: { url: string; token: string; ref: string } | undefined
  jwtSecret: string | undefined
  schemas: readonly string[] | undefined
  password: string
  isRehearsal: boolean
  isConfirmed: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** What a process list must not show can come by the environment. */
const variables = {
  'from-db-url': 'PLINTH_FROM_DB_URL',
  'from-service-key': 'PLINTH_FROM_SERVICE_KEY',
  'from-access-token': 'PLINTH_FROM_ACCESS_TOKEN',
  'from-jwt-secret': 'PLINTH_FROM_JWT_SECRET',
  'db-password': 'PLINTH_DB_PASSWORD',
} as const

const database = '--from-db-url'
const service = '--from-url and --from-service-key'
const token = '--from-access-token and --from-ref'

/** @throws UsageError */
export function importOptions(rest: string[], flags: Flags, environment: Environment): Options {
  const secret = (name: keyof typeof variables) =>
    flags[name] ?? (environment[variables[name]] || undefined)
  const ref = refIn(rest)
  const databaseUrl = secret('from-db-url')
  const url =
    flags['from-url'] === undefined ? undefined : httpAddress(flags['from-url'], '--from-url')
  const serviceKey = secret('from-service-key')
  if (serviceKey !== undefined && !/^[\x21-\x7e]+$/.test(serviceKey))
    throw new UsageError('--from-service-key: this is not a key')
  const management = managementOf(flags, secret('from-access-token'), url)
  const jwtSecret = secret('from-jwt-secret')
  const secretBytes = jwtSecret === undefined ? undefined : Buffer.byteLength(jwtSecret)
  if (secretBytes !== undefined && (secretBytes < 32 || secretBytes > 512))
    throw new UsageError('--from-jwt-secret: the secret must have 32 to 512 bytes')
  const given = {
    [database]: databaseUrl !== undefined,
    [service]: url !== undefined && serviceKey !== undefined,
    [token]: management !== undefined,
  }
  if (url !== undefined && serviceKey === undefined)
    throw new UsageError('--from-url needs --from-service-key, or PLINTH_FROM_SERVICE_KEY')
  const needs: Record<Part, readonly (keyof typeof given)[]> = {
    schema: [database],
    auth: [database, service],
    data: [database],
    storage: [service],
    functions: [token],
    secrets: [token],
    keys: [],
  }
  const isPossible = (part: Part) =>
    part === 'keys'
      ? serviceKey !== undefined || jwtSecret !== undefined
      : needs[part].some((one) => given[one])
  const sourcesOf = (part: Part) =>
    part === 'keys' ? '--from-service-key or --from-jwt-secret' : needs[part].join(', or ')
  const only = flags.only === undefined ? undefined : partsIn(flags.only)
  const impossible = only?.find((part) => !isPossible(part))
  if (impossible !== undefined) throw new UsageError(`${impossible} needs ${sourcesOf(impossible)}`)
  const chosen = only ?? parts.filter(isPossible)
  if (chosen.length === 0)
    throw new UsageError(`say where to import from: ${database}, ${service}, or ${token}`)
  const password = secret('db-password')
  if (password === undefined)
    throw new UsageError(
      'missing database password of the project: give --db-password or PLINTH_DB_PASSWORD',
    )
  return {
    ref,
    parts: parts.filter((part) => chosen.includes(part)),
    withheld:
      only === undefined
        ? parts
            .filter((part) => !isPossible(part))
            .map((part) => ({ part, needs: sourcesOf(part) }))
        : [],
    database: databaseUrl === undefined ? undefined : databaseAddress(databaseUrl, database),
    url,
    serviceKey,
    management,
    jwtSecret,
    schemas: flags.schemas === undefined ? undefined : namesIn(flags.schemas, '--schemas'),
    password,
    isRehearsal: flags['dry-run'] ?? false,
    isConfirmed: flags.yes ?? false,
  }
}

function namesIn(text: string, flag: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('')) throw new UsageError(`${flag}: separate the names with commas`)
  return names
}

function partsIn(text: string): Part[] {
  return namesIn(text, '--only').map((name) => {
    const part = parts.find((one) => one === name)
    if (part === undefined)
      throw new UsageError(`--only: "${name}" is not one of ${parts.join(', ')}`)
    return part
  })
}

function httpAddress(text: string, flag: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new UsageError(`${flag}: "${text}" is not a URL`)
  if (url.username !== '' || url.search !== '' || url.hash !== '')
    throw new UsageError(`${flag}: give only the address, such as https://xyz.supabase.co`)
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function managementOf(flags: Flags, accessToken: string | undefined, url: string | undefined) {
  const api = httpAddress(flags['from-api'] ?? 'https://api.supabase.com', '--from-api')
  const named = flags['from-ref']
  if (accessToken === undefined) {
    if (named === undefined) return undefined
    throw new UsageError('--from-ref needs --from-access-token, or PLINTH_FROM_ACCESS_TOKEN')
  }
  const ref =
    named ??
    (url === undefined ? undefined : /^https:\/\/([a-z]{20})\.supabase\.co$/.exec(url)?.[1])
  if (ref === undefined) throw new UsageError('--from-access-token needs --from-ref')
  if (!/^[a-z0-9-]{1,64}$/i.test(ref))
    throw new UsageError(`--from-ref: "${ref}" is not a project ref`)
  return { url: api, token: accessToken, ref }
}
