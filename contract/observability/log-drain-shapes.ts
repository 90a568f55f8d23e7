import { z } from 'zod'
import { displayName, Instant, printable, ProjectRef } from '../values.ts'

/** Where logs can be sent; the names are the public ones (facts §5, "Log drains"). */
export const logDrainTypes = [
  'webhook',
  'datadog',
  'loki',
  's3',
  'sentry',
  'otlp',
  'axiom',
] as const
export type LogDrainType = (typeof logDrainTypes)[number]

export const datadogRegions = ['US1', 'US1-FED', 'US3', 'US5', 'EU', 'AP1'] as const
export type DatadogRegion = (typeof datadogRegions)[number]

/** Drains of one project, or of one organization, at most. */
export const maxLogDrains = 20
/** Headers of one drain at most. */
export const maxDrainHeaders = 20

const text = (max: number) =>
  z.string().trim().min(1).max(max).regex(printable, 'must have no control characters')
/** Plain http is for what the operator allows (kit/network/reach.ts), which whoever takes the address asks. */
const address = text(2000).refine((value) => {
  const url = URL.parse(value)
  return (url?.protocol === 'https:' || url?.protocol === 'http:') && !url.username && !url.password
}, 'must be an address that starts with https://, without a user name or password')
/** A name of a header is a token of HTTP. What the transport itself says is not for anybody to set. */
const ours = /^(?:host|content-length|content-type|content-encoding|transfer-encoding|connection)$/i
const headers = z
  .record(
    z
      .string()
      .max(100)
      .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'is no name of a header')
      .refine((name) => !ours.test(name), 'is a header that is set by itself'),
    z
      .string()
      .max(4000)
      .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'has a character that headers cannot have'),
  )
  .refine(
    (value) => Object.keys(value).length <= maxDrainHeaders,
    `may have up to ${maxDrainHeaders} headers`,
  )

/** By type: what a drain needs to know. Fields of `logDrainSecrets` are never answered. */
export const logDrainConfigs = {
  webhook: z.strictObject({
    url: address,
    http: z.enum(['http1', 'http2']).default('http1'),
    gzip: z.boolean().default(true),
    headers: headers.default({}),
  }),
  datadog: z.strictObject({ api_key: text(200), region: z.enum(datadogRegions) }),
  loki: z.strictObject({
    url: address,
    username: text(500).optional(),
    password: text(4000).optional(),
    headers: headers.default({}),
  }),
  s3: z.strictObject({
    s3_bucket: text(63).regex(/^[\w.-]+$/, 'is no name of a bucket'),
    /** Part of a host. */
    storage_region: text(60).regex(/^[a-z\d-]+$/, 'is no region'),
    access_key_id: text(200),
    secret_access_key: text(400),
    /** Milliseconds after which a batch is stored although it is not full. */
    batch_timeout: z.number().int().min(1000).max(900_000).default(60_000),
    /** Of a storage that is compatible with S3. */
    endpoint: address.optional(),
    /** Begins the name of each object. */
    prefix: z
      .string()
      .max(200)
      .regex(/^[\w!.*'()/-]*$/, 'may have letters, digits and / _ - . only')
      .default(''),
  }),
  sentry: z.strictObject({
    /** With the key that it has as its user, which no other address may have. */
    dsn: text(2000).refine((value) => {
      const url = URL.parse(value)
      const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
      return isWeb && url.username !== '' && /\/\d+$/.test(url.pathname)
    }, 'must be a DSN, such as https://key@host/1'),
  }),
  otlp: z.strictObject({
    /** Without `/v1/logs`, which is added where it is missing. */
    endpoint: address,
    protocol: z.literal('http/protobuf').default('http/protobuf'),
    gzip: z.boolean().default(true),
    headers: headers.default({}),
  }),
  axiom: z.strictObject({
    api_token: text(400),
    dataset_name: text(128),
    /** Of another deployment than the usual one. */
    domain: text(253)
      .regex(/^[a-z\d.-]+$/i, 'must be a host')
      .optional(),
  }),
} as const
export type LogDrainConfigs = { [T in LogDrainType]: z.infer<(typeof logDrainConfigs)[T]> }

/**
 * Kept encrypted and never answered: one that there is is answered as an empty text, and so is the value of each header. Who
 * changes a drain leaves them out, or empty, to keep them; null takes one away. Where the address changes, they have to be given
 * again.
 */
export const logDrainSecrets = {
  webhook: ['headers'],
  datadog: ['api_key'],
  loki: ['password', 'headers'],
  s3: ['secret_access_key'],
  sentry: ['dsn'],
  otlp: ['headers'],
  axiom: ['api_token'],
} as const satisfies { [T in LogDrainType]: readonly (keyof LogDrainConfigs[T])[] }

/** What was sent, and what goes wrong. Counts are of this month in UTC. */
export const LogDrainState = z.object({
  /** The newest entry that arrived; null: none yet. */
  delivered_until: Instant.nullable(),
  last_success_at: Instant.nullable(),
  /** Of the first failure since the last success; null while it works. */
  failing_since: Instant.nullable(),
  /** Why, as the other side says it or as the network does; at most 500 characters. */
  last_error: z.string().nullable(),
  next_attempt_at: Instant.nullable(),
  events: z.number(),
  bytes: z.number(),
  /** Waited for more than a day, and were given up. */
  lost: z.number(),
})
export type LogDrainState = z.infer<typeof LogDrainState>

export const LogDrain = z.object({
  /** The public API calls it so. */
  token: z.uuid(),
  name: z.string(),
  description: z.string(),
  type: z.enum(logDrainTypes),
  /** Without secrets. */
  config: z.record(z.string(), z.unknown()),
  /** Sends; otherwise it is switched off, and starts with what comes then. */
  enabled: z.boolean(),
  inserted_at: Instant,
  updated_at: Instant,
  state: LogDrainState,
})
export type LogDrain = z.infer<typeof LogDrain>

export const logDrainName = displayName(1, 100)
export const logDrainDescription = z.string().max(500).default('')

/** Whose logs a drain sends. */
export const LogDrainScope = z.discriminatedUnion('of', [
  z.object({ of: z.literal('project'), ref: ProjectRef }),
  /** Entries of the audit log of the organization; `id` is its own. */
  z.object({ of: z.literal('organization'), id: z.number().int() }),
])
export type LogDrainScope = z.infer<typeof LogDrainScope>

/** The same with its secrets, for the data plane only. */
export const LogDrainOrder = z.object({
  token: z.uuid(),
  scope: LogDrainScope,
  type: z.enum(logDrainTypes),
  config: z.record(z.string(), z.unknown()),
  /** Another number means that it has changed. */
  revision: z.number().int(),
  /** Milliseconds since 1970 from which on entries are sent: when it was made, or last switched on. */
  since: z.number(),
})
export type LogDrainOrder = z.infer<typeof LogDrainOrder>

const said = z.iso.datetime({ offset: true }).nullable()
/**
 * What a process says of a drain, absolute for the start of the process like all usage: said again it changes nothing. Events
 * and bytes for the invoice go with the other usage (`drain_events`, `drain_bytes`).
 */
export const LogDrainReport = LogDrainState.extend({
  delivered_until: said,
  last_success_at: said,
  failing_since: said,
  next_attempt_at: said,
  token: z.uuid(),
  /** Of the process. */
  start: z.uuid(),
  /** First day of the month they are of, as 2026-11. */
  month: z.string().regex(/^\d{4}-\d{2}$/),
  events: z.number().int().min(0),
  bytes: z.number().int().min(0),
  lost: z.number().int().min(0),
})
export type LogDrainReport = z.infer<typeof LogDrainReport>

/** What a test said: whether the other side took one entry that says what it is. */
export const LogDrainTest = z.object({
  ok: z.boolean(),
  /** Status of its answer; null when there was none. */
  status: z.number().nullable(),
  /** Its beginning, or why there is none; at most 500 characters. */
  detail: z.string(),
  milliseconds: z.number(),
})
export type LogDrainTest = z.infer<typeof LogDrainTest>
