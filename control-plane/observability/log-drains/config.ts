import {
  logDrainConfigs,
  logDrainSecrets,
  type LogDrainType,
} from '#contract/observability/log-drain-shapes'
import { ApiError } from '#kit/errors'
import { linesOf } from '#kit/http/http-input'
import { refusalOf, type Reach } from '#kit/network/reach'

type Config = Record<string, unknown>
type Headers = Record<string, string>

/** What a drain is told, with its secrets apart. */
export type ParsedConfig = {
  /** Each secret that there is as an empty text, also the values of headers. What people are shown. */
  open: Config
  /** Empty where there are none. */
  secrets: Config
}

/** Fields that say where secrets go to: whoever changes one of them has to know the secrets. */
const destinations: Record<LogDrainType, readonly string[]> = {
  webhook: ['url'],
  datadog: ['region'],
  loki: ['url'],
  s3: ['endpoint'],
  // The address is a part of the secret.
  sentry: [],
  otlp: ['endpoint'],
  axiom: ['domain'],
}

const isHeaders = (value: unknown): value is Headers =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((one) => typeof one === 'string')
const headersOf = ({ headers }: Config): Headers => (isHeaders(headers) ? headers : {})
const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''

/** Fields with an address that entries are sent to. */
const addresses: Record<LogDrainType, readonly string[]> = {
  ...destinations,
  datadog: [],
  sentry: ['dsn'],
}

/** Whether sending would refuse the address, told before anything waits for it. @throws ApiError invalid_input */
function checkAddresses(type: LogDrainType, config: Config, reach: Reach): void {
  for (const field of addresses[type]) {
    const value = config[field]
    if (typeof value !== 'string') continue
    const url = URL.parse(field === 'domain' ? `https://${value}` : value)
    if (!url) return refuse(field, 'is no address')
    // The key of a DSN stands in the place of a user, and is sent in a header.
    if (field === 'dsn') url.username = url.password = ''
    const refusal = refusalOf(url, reach)
    if (refusal !== undefined) refuse(field, refusal)
  }
}

/** Scheme, host and port of an address; any other value as it is. */
const placeOf = (value: unknown): string => {
  const text = typeof value === 'string' ? value : ''
  const url = URL.parse(text)
  return url ? url.origin.toLowerCase() : text.toLowerCase()
}

/** Whether what is sent goes to the same place with both. */
const isSamePlace = (type: LogDrainType, a: Config, b: Config): boolean =>
  destinations[type].every((field) => placeOf(a[field]) === placeOf(b[field]))

const refuse = (field: string, message: string): never => {
  throw new ApiError('invalid_input', `config.${field}: ${message}`)
}
const again =
  'Enter it again: the address has changed, and what is kept is sent to the former one only'

/** The given config with what is kept for the fields that it leaves out. @throws ApiError invalid_input */
function filled(type: LogDrainType, given: Config, kept: ParsedConfig | undefined): Config {
  const isSame = kept !== undefined && isSamePlace(type, given, kept.open)
  const whole: Config = { ...given }
  for (const field of logDrainSecrets[type]) {
    if (field === 'headers' || isGiven(given[field])) continue
    // An empty value is none.
    delete whole[field]
    // Nothing in the place of what is kept.
    if (given[field] === null) continue
    const value = kept?.secrets[field]
    if (value === undefined) continue
    whole[field] = isSame ? value : refuse(field, again)
  }
  if ((logDrainSecrets[type] as readonly string[]).includes('headers')) {
    const before = new Map(
      Object.entries(headersOf(kept?.secrets ?? {})).map(([name, value]) => [
        name.toLowerCase(),
        value,
      ]),
    )
    // Left out, all of them are kept; what is no list of headers is refused by the schema.
    if (given['headers'] === undefined) {
      if (before.size > 0)
        whole['headers'] = isSame ? kept.secrets['headers'] : refuse('headers', again)
    } else if (isHeaders(given['headers']))
      whole['headers'] = Object.fromEntries(
        Object.entries(given['headers']).map(([name, value]) => {
          if (value !== '') return [name, value]
          const held = before.get(name.toLowerCase())
          if (held === undefined) return refuse(`headers.${name}`, 'has no value')
          return [name, isSame ? held : refuse(`headers.${name}`, again)]
        }),
      )
  }
  return whole
}

/**
 * What a person has given, checked by the type of the drain, with the secrets that they have left out taken from `kept`.
 * @throws ApiError invalid_input that names the field
 */
export function parseConfig(
  type: LogDrainType,
  given: Config,
  reach: Reach,
  kept?: ParsedConfig,
): ParsedConfig {
  const whole = filled(type, given, kept)
  const result = logDrainConfigs[type].safeParse(whole)
  if (!result.success)
    throw new ApiError('invalid_input', linesOf(result.error.issues, ['config']).join('; '))
  checkAddresses(type, result.data, reach)
  const open: Config = { ...result.data }
  const secrets: Config = {}
  for (const field of logDrainSecrets[type]) {
    const value = open[field]
    delete open[field]
    if (field === 'headers') {
      const names = Object.keys(headersOf({ headers: value }))
      const lower = new Set(names.map((name) => name.toLowerCase()))
      if (lower.size < names.length) refuse('headers', 'has a name twice')
      open['headers'] = Object.fromEntries(names.map((name) => [name, '']))
      if (names.length > 0) secrets[field] = value
    } else if (value !== undefined) {
      open[field] = ''
      secrets[field] = value
    }
  }
  return { open, secrets }
}

/** Both together, as the data plane is told. */
export const wholeConfig = ({ open, secrets }: ParsedConfig): Config => ({ ...open, ...secrets })

/** Takes the secrets of a drain out of what another side has said: it may say what it was sent. */
export function withoutSecrets(text: string, { open, secrets }: ParsedConfig): string {
  const { username } = open
  const values = Object.values(secrets).flatMap((value) =>
    isHeaders(value)
      ? Object.values(value).flatMap((one) => [one, ...one.split(' ')])
      : String(value),
  )
  const { password } = secrets
  if (typeof username === 'string' && typeof password === 'string')
    values.push(Buffer.from(`${username}:${password}`).toString('base64'))
  return (
    values
      // Shorter ones are words of any text.
      .filter((value) => value.length >= 6)
      .toSorted((a, b) => b.length - a.length)
      .reduce((rest, value) => rest.replaceAll(value, '[redacted]'), text)
  )
}

/** Names of the secrets that a drain has, for the audit log. */
export const secretNames = ({ secrets }: ParsedConfig): string[] =>
  Object.entries(secrets).flatMap(([field, value]) =>
    isHeaders(value) ? Object.keys(value).map((name) => `headers.${name}`) : [field],
  )
