import { z } from 'zod'

const whole = (max: number) => z.number().int().min(1).max(max)

/** Most that each setting can be, as the settings page has them. */
export const realtimeBounds = {
  maxConcurrentUsers: 50_000,
  maxEventsPerSecond: 50_000,
  maxBytesPerSecond: 10_000_000,
  maxChannelsPerClient: 10_000,
  maxJoinsPerSecond: 5000,
  maxPresenceEventsPerSecond: 10_000,
  maxPayloadKb: 10_000,
}
const max = realtimeBounds

/** How much the realtime service of a project carries, and for whom. */
export const RealtimeSettings = z.object({
  /** False: nobody can connect. */
  enabled: z.boolean().default(true),
  /** Only channels whose readers are checked by policies can be joined. */
  privateOnly: z.boolean().default(false),
  /** Connections to the database; null: as many as the process gives. */
  connectionPool: whole(1000).nullable().default(null),
  /** Sockets at once. */
  maxConcurrentUsers: whole(max.maxConcurrentUsers).default(200),
  /** Messages of clients, of all together. */
  maxEventsPerSecond: whole(max.maxEventsPerSecond).default(100),
  maxBytesPerSecond: whole(max.maxBytesPerSecond).default(100_000),
  maxChannelsPerClient: whole(max.maxChannelsPerClient).default(100),
  maxJoinsPerSecond: whole(max.maxJoinsPerSecond).default(100),
  maxPresenceEventsPerSecond: whole(max.maxPresenceEventsPerSecond).default(1000),
  /** Of one message, in units of 1000 bytes. */
  maxPayloadKb: whole(max.maxPayloadKb).default(3000),
})
export type RealtimeSettings = z.infer<typeof RealtimeSettings>

export const defaultRealtimeSettings: RealtimeSettings = RealtimeSettings.parse({})

/** Bytes that one message has at most. */
export const maxPayloadBytes = ({ maxPayloadKb }: RealtimeSettings): number => maxPayloadKb * 1000
