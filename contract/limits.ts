import { microCents, type Cents, type MicroCents } from './billing/money.ts'
import type { PlanId } from './billing/plans.ts'

const kb = 1024
const mb = 1024 * kb
const gb = 1024 * mb

/** How much a plan includes, and what one more unit costs when it is billed. Null: there is no bound. */
export type Allowance = {
  included: number | null
  /** Micro-cents for `per` units beyond; null: more is not to be had on this plan. */
  price: MicroCents | null
  per: number
}

const upTo = (included: number | null): Allowance => ({ included, price: null, per: 1 })
const then = (included: number, dollars: number, per = 1): Allowance => ({
  included,
  price: microCents(dollars),
  per,
})

/** The numbers of requirements §9, as gates and meters use them. Bytes are binary, as everywhere on the platform. */
export type PlanLimits = {
  monthlyPriceCents: Cents | null
  computeCreditsCents: Cents
  /** Active projects of one owner over all organizations on this plan. */
  activeProjects: number | null
  pausesAfterDays: number | null
  monthlyActiveUsers: Allowance
  databaseGb: Allowance
  egressGb: Allowance
  cachedEgressGb: Allowance
  storageGb: Allowance
  imageTransformations: Allowance
  functionInvocations: Allowance
  realtimeConnections: Allowance
  realtimeMessages: Allowance
  samlUsers: Allowance
  maxUploadBytes: number
  maxRealtimeMessageBytes: number
  logRetentionDays: number
  /** Of the auth service's audit trail. */
  authAuditHours: number | null
  backupRetentionDays: number | null
}

const free: PlanLimits = {
  monthlyPriceCents: 0,
  computeCreditsCents: 0,
  activeProjects: 2,
  pausesAfterDays: 7,
  monthlyActiveUsers: upTo(50_000),
  databaseGb: upTo(0.5),
  egressGb: upTo(5),
  cachedEgressGb: upTo(5),
  storageGb: upTo(1),
  imageTransformations: upTo(0),
  functionInvocations: upTo(500_000),
  realtimeConnections: upTo(200),
  realtimeMessages: upTo(2_000_000),
  samlUsers: upTo(0),
  maxUploadBytes: 50 * mb,
  maxRealtimeMessageBytes: 250 * kb,
  logRetentionDays: 1,
  authAuditHours: 1,
  backupRetentionDays: null,
}

const pro: PlanLimits = {
  monthlyPriceCents: 2500,
  computeCreditsCents: 1000,
  activeProjects: null,
  pausesAfterDays: null,
  monthlyActiveUsers: then(100_000, 0.00325),
  databaseGb: then(8, 0.125),
  egressGb: then(250, 0.09),
  cachedEgressGb: then(250, 0.03),
  storageGb: then(100, 0.021),
  imageTransformations: then(100, 5, 1000),
  functionInvocations: then(2_000_000, 2, 1_000_000),
  realtimeConnections: then(500, 10, 1000),
  realtimeMessages: then(5_000_000, 2.5, 1_000_000),
  samlUsers: then(50, 0.015),
  maxUploadBytes: 500 * gb,
  maxRealtimeMessageBytes: 3 * mb,
  logRetentionDays: 7,
  authAuditHours: 7 * 24,
  backupRetentionDays: 7,
}

const team: PlanLimits = {
  ...pro,
  monthlyPriceCents: 59_900,
  logRetentionDays: 28,
  authAuditHours: 28 * 24,
  backupRetentionDays: 14,
}

/** Where Enterprise is agreed one by one ("Custom"), it has no bound here, or Team's where a number is needed. */
const enterprise: PlanLimits = {
  ...team,
  monthlyPriceCents: null,
  computeCreditsCents: 0,
  monthlyActiveUsers: upTo(null),
  databaseGb: upTo(null),
  egressGb: upTo(null),
  cachedEgressGb: upTo(null),
  storageGb: upTo(null),
  imageTransformations: upTo(null),
  functionInvocations: upTo(null),
  realtimeConnections: upTo(null),
  realtimeMessages: upTo(null),
  samlUsers: upTo(null),
  logRetentionDays: 90,
  authAuditHours: null,
  backupRetentionDays: null,
}

export const planLimits: Record<PlanId, PlanLimits> = { free, pro, team, enterprise }
