import { formatRate } from '#contract/billing/money'
import { gigabyte, type UsageItem, type UsageMetric } from '#contract/billing/usage'
import { bytesText, numberText } from '../../ui/text/number.ts'

type Words = {
  name: string
  /** What is counted, and how. */
  help: string
  /** What one of it is called, where it is counted. */
  one?: string
}

export const words: Record<UsageMetric, Words> = {
  EGRESS: {
    name: 'Egress',
    help: 'Data sent to clients by the Data API, GraphQL, Auth, Storage, Edge Functions and Realtime, headers included, and by the database over direct connections.',
  },
  CACHED_EGRESS: {
    name: 'Cached egress',
    help: 'Data that a cache in front of Storage sent to clients.',
  },
  DATABASE_SIZE: {
    name: 'Database size',
    help: 'Tables, indexes and the rest of the database, averaged over the hours of the cycle. The plan includes it for each project.',
  },
  DISK_SIZE: {
    name: 'Disk size',
    help: 'The database together with its write-ahead log and what else its server keeps, averaged over the hours of the cycle. Not billed.',
  },
  STORAGE_SIZE: {
    name: 'Storage size',
    help: 'Files in all buckets and in the trash, averaged over the hours of the cycle.',
  },
  MONTHLY_ACTIVE_USERS: {
    name: 'Monthly active users',
    help: 'Users who signed in or refreshed a token in the cycle. Each counts once per project.',
    one: 'user',
  },
  MONTHLY_ACTIVE_SSO_USERS: {
    name: 'Monthly active SSO users',
    help: 'Users who signed in or refreshed a token through a SAML 2.0 provider. Each counts once per project.',
    one: 'user',
  },
  MONTHLY_ACTIVE_THIRD_PARTY_USERS: {
    name: 'Monthly active third-party users',
    help: 'Users who made a request with a token of a third-party auth provider. Each counts once per project.',
    one: 'user',
  },
  STORAGE_IMAGES_TRANSFORMED: {
    name: 'Storage image transformations',
    help: 'Source images that were transformed. Each counts once per cycle, in any number of sizes.',
    one: 'image',
  },
  FUNCTION_INVOCATIONS: {
    name: 'Edge function invocations',
    help: 'Calls of edge functions, whatever their outcome.',
    one: 'invocation',
  },
  REALTIME_MESSAGE_COUNT: {
    name: 'Realtime messages',
    help: 'Messages that clients sent, and each client that received one.',
    one: 'message',
  },
  REALTIME_PEAK_CONNECTIONS: {
    name: 'Realtime peak connections',
    help: 'The highest number of clients connected at the same time, added up over projects.',
    one: 'connection',
  },
  API_REQUESTS: {
    name: 'API requests',
    help: 'Requests that the services of projects answered. Every plan includes any number.',
    one: 'request',
  },
  COMPUTE_HOURS: {
    name: 'Compute hours',
    help: 'Hours that the servers of projects ran, by compute size, without branches. The upcoming invoice has their price.',
  },
  COMPUTE_HOURS_BRANCH: {
    name: 'Branch hours',
    help: 'Hours that branches ran, by compute size. A paused branch is not counted. The upcoming invoice has their price.',
  },
  LOG_DRAIN: {
    name: 'Log drain hours',
    help: 'Hours that log drains were switched on, each drain by itself. The upcoming invoice has their price.',
  },
  LOG_DRAIN_EVENTS: {
    name: 'Log drain events',
    help: 'Log entries that the drains of projects delivered. Entries of the audit log are not charged.',
    one: 'event',
  },
  LOG_DRAIN_BYTES: {
    name: 'Log drain bytes',
    help: 'Data that the drains of projects delivered, compressed as it was sent.',
  },
}

const parts: Record<string, string> = {
  rest: 'Data API',
  graphql: 'GraphQL',
  auth: 'Auth',
  storage: 'Storage',
  functions: 'Edge Functions',
  realtime: 'Realtime',
  database: 'Database',
}
/** Of a service, or a compute size by its own name. */
export const partName = (part: string): string =>
  parts[part] ?? part.slice(0, 1).toUpperCase() + part.slice(1)

/** An amount with its unit, as short as it is understood. */
export function amountText(unit: UsageItem['unit'], amount: number): string {
  if (unit === 'bytes') return bytesText(amount)
  return unit === 'hours' ? `${numberText(amount, 1)} h` : numberText(amount)
}

type Priced = Pick<UsageItem, 'metric' | 'unit' | 'price' | 'price_per' | 'pricing_strategy'>

/** `$0.09 per GB`, `$2 per 1,000,000 invocations`; undefined where more is not to be had. */
export function priceText({ metric, unit, price, price_per, pricing_strategy }: Priced) {
  if (price === null) return undefined
  const one = words[metric].one ?? 'GB'
  const per = unit === 'bytes' ? price_per / gigabyte : price_per
  const what = per === 1 ? one : `${numberText(per)} ${one}s`
  return `${formatRate(price)} per ${pricing_strategy === 'PACKAGE' ? 'started ' : ''}${what}`
}

/** What is included, in words. */
export function includedText({ unit, included, included_per_project, ...item }: UsageItem): string {
  if (!item.available_in_plan) return 'Not in this plan'
  if (item.unlimited || included === null) return 'Unlimited'
  if (included === 0) return 'None'
  return `${amountText(unit, included)}${included_per_project ? ' per project' : ''}`
}
