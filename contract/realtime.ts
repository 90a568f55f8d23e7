import { z } from 'zod'

const whole = (most: number) => z.number().int().min(1).max(most)

/** How much the realtime service of a project carries, and for whom; bounds as the settings page has them. */
export const RealtimeSettings = z.object({
  /** False: nobody can connect. */
  enabled: z.boolean().default(true),
  /** Only channels whose readers are checked by policies can be joined. */
  privateOnly: z.boolean().default(false),
  /** Sockets at once. */
  maxConcurrentUsers: whole(50_000).default(200),
  /** Messages of clients, of all together. */
  maxEventsPerSecond: whole(50_000).default(100),
  maxBytesPerSecond: whole(10_000_000).default(100_000),
  maxChannelsPerClient: whole(10_000).default(100),
  maxJoinsPerSecond: whole(5000).default(100),
  maxPresenceEventsPerSecond: whole(10_000).default(1000),
  /** Of one message, in kilobytes. */
  maxPayloadKb: whole(10_000).default(3000),
})
export type RealtimeSettings = z.infer<typeof RealtimeSettings>

export const defaultRealtimeSettings: RealtimeSettings = RealtimeSettings.parse({})
