import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { As } from '../data-api/impersonation.ts'
import { planLimits } from '../limits.ts'
import { inProject } from '../permissions.ts'
import { planOfTier, usageIsBilled, type Tier } from '../billing/plans.ts'
import { realtimeBounds } from './realtime.ts'
import { ProjectRef } from '../values.ts'

const whole = (max: number) => z.number().int().min(1).max(max)

export const RealtimeConfig = z.object({
  /** Nobody can connect while this is true. */
  suspend: z.boolean(),
  /** Only channels whose readers are checked by policies can be joined. */
  private_only: z.boolean(),
  /** Connections to the database at most; null: as many as the installation gives. */
  connection_pool: whole(1000).nullable(),
  /** Sockets at once. */
  max_concurrent_users: whole(realtimeBounds.maxConcurrentUsers),
  /** Messages of all clients together, in a second. */
  max_events_per_second: whole(realtimeBounds.maxEventsPerSecond),
  /** What clients broadcast together, in a second. */
  max_bytes_per_second: whole(realtimeBounds.maxBytesPerSecond),
  max_channels_per_client: whole(realtimeBounds.maxChannelsPerClient),
  max_joins_per_second: whole(realtimeBounds.maxJoinsPerSecond),
  max_presence_events_per_second: whole(realtimeBounds.maxPresenceEventsPerSecond),
  /** Of one message, in units of 1000 bytes. */
  max_payload_size_in_kb: whole(realtimeBounds.maxPayloadKb),
})
export type RealtimeConfig = z.infer<typeof RealtimeConfig>
export type RealtimeKey = keyof RealtimeConfig
export const realtimeKeys: readonly RealtimeKey[] = [
  'suspend',
  'private_only',
  'connection_pool',
  'max_concurrent_users',
  'max_events_per_second',
  'max_bytes_per_second',
  'max_channels_per_client',
  'max_joins_per_second',
  'max_presence_events_per_second',
  'max_payload_size_in_kb',
]

const optional = <T extends z.ZodType>(field: T) => field.nullable().optional()

/** What is named is changed; null takes the default back. */
const Changes = z.object({
  ref: ProjectRef,
  suspend: optional(RealtimeConfig.shape.suspend),
  private_only: optional(RealtimeConfig.shape.private_only),
  connection_pool: optional(RealtimeConfig.shape.connection_pool),
  max_concurrent_users: optional(RealtimeConfig.shape.max_concurrent_users),
  max_events_per_second: optional(RealtimeConfig.shape.max_events_per_second),
  max_bytes_per_second: optional(RealtimeConfig.shape.max_bytes_per_second),
  max_channels_per_client: optional(RealtimeConfig.shape.max_channels_per_client),
  max_joins_per_second: optional(RealtimeConfig.shape.max_joins_per_second),
  max_presence_events_per_second: optional(RealtimeConfig.shape.max_presence_events_per_second),
  max_payload_size_in_kb: optional(RealtimeConfig.shape.max_payload_size_in_kb),
})

/** Most that the plan and the server of a project allow. */
const Bounds = z.object({
  max_concurrent_users: z.number(),
  max_payload_size_in_kb: z.number(),
  connection_pool: z.number(),
})
export type RealtimeLimits = z.infer<typeof Bounds>

/** What a plan bounds. Where more sockets are billed there may be as many as the service takes. */
export function realtimeLimitsOf(tier: Tier): Omit<RealtimeLimits, 'connection_pool'> {
  const plan = planLimits[planOfTier[tier]]
  const { included } = plan.realtimeConnections
  const billed = usageIsBilled[tier] || included === null
  return {
    max_concurrent_users: billed ? realtimeBounds.maxConcurrentUsers : included,
    max_payload_size_in_kb: Math.floor(plan.maxRealtimeMessageBytes / 1024),
  }
}

/** Of a project that has chosen nothing: what its plan includes. */
export function realtimeDefaults(tier: Tier): RealtimeConfig {
  const plan = planLimits[planOfTier[tier]]
  return {
    suspend: false,
    private_only: false,
    connection_pool: null,
    max_concurrent_users: plan.realtimeConnections.included ?? 500,
    max_events_per_second: 100,
    max_bytes_per_second: 100_000,
    max_channels_per_client: 100,
    max_joins_per_second: 100,
    max_presence_events_per_second: 1000,
    max_payload_size_in_kb: Math.min(3000, realtimeLimitsOf(tier).max_payload_size_in_kb),
  }
}

const Answer = RealtimeConfig.extend({ limits: Bounds })
/** With what programs ask for besides: presence is always on, and only the project's own people suspend the service. */
const AnswerForPrograms = Answer.extend({
  postgres_changes_pool: z.null(),
  presence_enabled: z.literal(true),
  admin_suspended_at: z.null(),
})

/** How the realtime service of a project works. A change holds at once, also for clients that are connected. */
export const realtime = {
  config: endpoint('realtime.config', 'GET /platform/projects/:ref/config/realtime', {
    needs: inProject('realtime:Admin:Read', '*'),
    input: z.object({ ref: ProjectRef }),
    returns: Answer,
  }),
  /** Only what is named changes; the answer is everything. */
  updateConfig: endpoint('realtime.updateConfig', 'PATCH /platform/projects/:ref/config/realtime', {
    needs: inProject('realtime:Admin:Write', '*'),
    input: Changes,
    returns: Answer,
  }),
  /** The same two, for programs. */
  configForProgram: endpoint('v1.realtimeConfig', 'GET /v1/projects/:ref/config/realtime', {
    needs: inProject('realtime:Admin:Read', '*'),
    input: z.object({ ref: ProjectRef }),
    returns: AnswerForPrograms,
  }),
  updateByProgram: endpoint('v1.updateRealtimeConfig', 'PATCH /v1/projects/:ref/config/realtime', {
    needs: inProject('realtime:Admin:Write', '*'),
    input: Changes,
    returns: AnswerForPrograms,
  }),
  /**
   * A token for watching channels as somebody, and the public key that it goes along with: no secret key leaves the server.
   * It counts for a few minutes. Needs what running SQL as a role needs.
   */
  token: endpoint('realtime.token', 'POST /platform/projects/:ref/realtime/token', {
    needs: inProject('tenant:Sql:Admin:Write', 'tables'),
    input: z.object({ ref: ProjectRef, as: As }),
    returns: z.object({
      token: z.string(),
      /** Seconds since 1970. */
      expires_at: z.number(),
      api_key: z.string(),
    }),
  }),
}
