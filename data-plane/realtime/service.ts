import { maxPayloadBytes, type RealtimeSettings } from '#contract/realtime/realtime'
import type { Log } from '#kit/log'
import type { Hub } from './hub.ts'
import type { Counts } from './metrics.ts'
import type { Access, Stored } from './messages-store.ts'
import { Rate } from './rates.ts'

/** Who a client is by a token or a key. */
export type Reader = {
  role: string
  /** JSON text. */
  claims: string
  /** Milliseconds since 1970 until which it counts. */
  expires: number
}

/** All in milliseconds. */
export type Timing = {
  /** How long a refused connection, or join, waits for its answer, so that clients do not hammer. */
  handshakeBackoff: number
  joinBackoff: number
  /** A socket from which nothing comes is closed. */
  silence: number
  /** A socket without a channel is closed. */
  noChannel: number
  /** How often a reader's permissions are looked at again. */
  recheck: number
  /** How long the sockets of a project that go away together have to close. */
  drain: number
  /** How often it is looked whether the slot is behind. */
  slotWatch: number
}
export const usualTiming: Timing = {
  handshakeBackoff: 2000,
  joinBackoff: 5000,
  silence: 60_000,
  noChannel: 600_000,
  recheck: 300_000,
  drain: 2000,
  slotWatch: 10_000,
}

/** What a project's owner is told of its sockets. */
export type RealtimeEvent = {
  kind: 'connected' | 'disconnected' | 'refused' | 'closed' | 'join_refused'
  /** Why, in the words that the client was told. */
  reason?: string
  topic?: string
  /** Sockets that are open now, and how many may be. */
  connected?: number
  limit?: number
}

/** The realtime service of one project, as its sockets see it. */
export type Service = {
  ref: string
  settings(): RealtimeSettings
  hub: Hub
  rates: Rates
  counts: Counts
  timing: Timing
  log: Log
  /** Tells the project's owner. */
  note: (event: RealtimeEvent) => void
  /** Who a token names. @throws ChannelRefusal */
  readerOf(token: string): Promise<Reader>
  access(reader: Reader, topic: string, headers: string): Promise<Access>
  stored(topic: string, since: Date, limit: number): Promise<Stored[]>
  /** Resolves when what the database sends arrives, or when it takes too long. */
  messagesFlow(): Promise<boolean>
}

export type Rates = { events: Rate; bytes: Rate; joins: Rate; presence: Rate }

export function ratesOf(settings: () => RealtimeSettings): Rates {
  const oneMessage = () => maxPayloadBytes(settings())
  return {
    events: new Rate(() => settings().maxEventsPerSecond),
    bytes: new Rate(
      () => settings().maxBytesPerSecond,
      () => settings().maxBytesPerSecond + oneMessage(),
    ),
    joins: new Rate(() => settings().maxJoinsPerSecond),
    presence: new Rate(() => settings().maxPresenceEventsPerSecond),
  }
}
