/** What a channel was joined with. Clients of all ages are understood: booleans may be texts, everything may be missing. */
export type JoinConfig = {
  self: boolean
  ack: boolean
  private: boolean
  replicationReady: boolean
  /** Undefined: nothing is replayed. `since` is in milliseconds since 1970. */
  replay: { since: number; limit: number } | undefined
  presence: { enabled: boolean; key: string | undefined }
  changes: RequestedChanges[]
  accessToken: string | undefined
}

/** One entry of `postgres_changes`, as the client sent it and expects it back. */
export type RequestedChanges = Record<string, unknown>

const isTrue = (value: unknown) => value === true || value === 'true'
const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}

/** Most messages that a join brings back. */
const maxReplayed = 25

/** Never fails: what has another shape than expected counts as not said. */
export function readJoin(payload: unknown): JoinConfig {
  const { config: given, access_token } = object(payload)
  const config = object(given)
  const broadcast = object(config['broadcast'])
  const presence = object(config['presence'])
  const { enabled, key } = presence
  return {
    self: isTrue(broadcast['self']),
    ack: isTrue(broadcast['ack']),
    private: isTrue(config['private']),
    replicationReady: isTrue(broadcast['replication_ready']),
    replay: readReplay(broadcast['replay']),
    presence: {
      // Clients that do not know the switch expect presence.
      enabled: enabled === undefined || isTrue(enabled),
      key: typeof key === 'string' && key !== '' ? key : undefined,
    },
    changes: readChanges(config['postgres_changes']),
    accessToken: typeof access_token === 'string' ? access_token : undefined,
  }
}

function readReplay(value: unknown): JoinConfig['replay'] {
  if (value === undefined || value === null || value === false) return undefined
  const { since, limit } = object(value)
  const max = Number(limit ?? maxReplayed)
  return {
    since: Number(since),
    limit: Number.isInteger(max) ? Math.min(Math.max(max, 1), maxReplayed) : NaN,
  }
}

function readChanges(value: unknown): RequestedChanges[] {
  if (!Array.isArray(value)) return []
  const entries: unknown[] = value
  return entries.filter((entry) => entry !== null).map(object)
}

/** Whether the payload of a join is of the known shape; only to be noted when it is not. */
export const isKnownShape = (payload: unknown): boolean =>
  typeof payload === 'object' &&
  payload !== null &&
  !Array.isArray(payload) &&
  typeof (payload as { config?: unknown }).config === 'object'
