import { z } from 'zod'
import { ProjectRef } from '../values.ts'

/** The services whose answers are counted by themselves. */
export const meteredServices = [
  'rest',
  'graphql',
  'auth',
  'storage',
  'functions',
  'realtime',
] as const
export type MeteredService = (typeof meteredServices)[number]

/**
 * Bytes that went to clients, by service; what a cache answered is counted as `egress_cached` instead. `egress_database` is what
 * direct connections got.
 */
export const egressMetrics = [
  'egress_rest',
  'egress_graphql',
  'egress_auth',
  'egress_storage',
  'egress_functions',
  'egress_realtime',
  'egress_database',
  'egress_cached',
] as const
export const requestMetrics = [
  'requests_rest',
  'requests_graphql',
  'requests_auth',
  'requests_storage',
  'requests_functions',
  'requests_realtime',
] as const
/**
 * What adds up. `database_connections`: direct connections that were opened, or carried something, in a minute. `drain_events` and
 * `drain_bytes`: what log drains of the project have delivered, compressed as it was sent.
 */
export const sumMetrics = [
  ...egressMetrics,
  ...requestMetrics,
  'function_invocations',
  'realtime_messages',
  'database_connections',
  'drain_events',
  'drain_bytes',
] as const
/** What is highest at some moment, and added up over processes. */
export const peakMetrics = ['realtime_connections'] as const
/** What the services count. */
export const meteredMetrics = [...sumMetrics, ...peakMetrics] as const
export type MeteredMetric = (typeof meteredMetrics)[number]
export type PeakMetric = (typeof peakMetrics)[number]
export type SumMetric = (typeof sumMetrics)[number]

/** What the control plane measures by the hour, in bytes. */
export const sizeMetrics = ['database_size', 'storage_size', 'disk_size'] as const
export type SizeMetric = (typeof sizeMetrics)[number]
export type StoredMetric = MeteredMetric | SizeMetric

/** What counts once in a billing cycle, however often it is seen. */
export const sightingKinds = ['users', 'sso_users', 'third_party_users', 'images'] as const
export type SightingKind = (typeof sightingKinds)[number]

const minute = z.number().int().min(0).max(1_000_000_000)

/**
 * What one start of a process has counted of a project in one minute so far. The value is absolute: to send it again, or
 * an older one, changes nothing.
 */
export const UsageBucket = z.object({
  /** Of the process; a new one with each start. */
  start: z.uuid(),
  ref: ProjectRef,
  metric: z.enum(meteredMetrics),
  /** Minutes since 1970. */
  minute,
  value: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
})
export type UsageBucket = z.infer<typeof UsageBucket>

/** Somebody or something was seen; `hash` is 16 bytes of a digest that says nothing about whom. */
export const UsageSighting = z.object({
  ref: ProjectRef,
  kind: z.enum(sightingKinds),
  hash: z.string().regex(/^[\w-]{22}$/),
  minute,
})
export type UsageSighting = z.infer<typeof UsageSighting>

export const maxSent = 1000
export const UsageReport = z.object({
  buckets: z.array(UsageBucket).max(maxSent),
  sightings: z.array(UsageSighting).max(maxSent),
})
export type UsageReport = z.infer<typeof UsageReport>

/** Days that minutes are kept; what comes later than that is refused. */
export const minuteDays = 7
