import { computeSizes } from '#contract/projects/compute-sizes'
import type { RealtimeSettings } from '#contract/realtime/realtime'
import {
  realtimeDefaults,
  realtimeKeys,
  realtimeLimitsOf,
  type RealtimeConfig,
  type RealtimeKey,
  type RealtimeLimits,
} from '#contract/realtime/realtime-config'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Audited } from '../../audited.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { FoundConfig, RealtimeConfigStore } from './store.ts'

type Deps = {
  store: RealtimeConfigStore
  audited: Audited
}

/** What is named is changed; null takes the default back. */
export type RealtimeChanges = { [K in RealtimeKey]?: RealtimeConfig[K] | null | undefined }

/** How the realtime services of projects work. */
export function createRealtimeConfig({ store, audited }: Deps) {
  async function found(ref: string, tx?: Tx): Promise<FoundConfig> {
    const config = await store.find(ref, tx)
    if (!config) throw new ApiError('project_not_found')
    return config
  }
  const shown = (config: FoundConfig) => ({ ...holding(config), limits: limitsOf(config) })

  return {
    async get(ref: string) {
      return shown(await found(ref))
    },

    async update(caller: Caller, ref: string, asked: RealtimeChanges, origin: Origin) {
      const { after } = await audited({ caller, ref, origin }, 'realtime.update', async (tx) => {
        const before = await found(ref, tx)
        checkLimits(asked, limitsOf(before))
        const after = { ...before, chosen: { ...before.chosen, ...namedIn(asked) } }
        for (const key of realtimeKeys) if (asked[key] === null) delete after.chosen[key]
        const [was, is] = [holding(before), holding(after)]
        const changed = realtimeKeys.filter((key) => was[key] !== is[key])
        await store.save(tx, before.id, after.chosen)
        if (changed.length === 0) return { after }
        return { after, change: { before: only(was, changed), after: only(is, changed) } }
      })
      return shown(after)
    },

    /** As the service goes by it. */
    async forService(ref: string): Promise<RealtimeSettings> {
      const config = holding(await found(ref))
      return {
        enabled: !config.suspend,
        privateOnly: config.private_only,
        connectionPool: config.connection_pool,
        maxConcurrentUsers: config.max_concurrent_users,
        maxEventsPerSecond: config.max_events_per_second,
        maxBytesPerSecond: config.max_bytes_per_second,
        maxChannelsPerClient: config.max_channels_per_client,
        maxJoinsPerSecond: config.max_joins_per_second,
        maxPresenceEventsPerSecond: config.max_presence_events_per_second,
        maxPayloadKb: config.max_payload_size_in_kb,
      }
    },
  }
}
export type RealtimeConfigs = ReturnType<typeof createRealtimeConfig>

const limitsOf = ({ tier, compute_size }: FoundConfig): RealtimeLimits => ({
  ...realtimeLimitsOf(tier),
  connection_pool: computeSizes[compute_size].directConnections,
})

/** What was chosen, as far as the plan of today and the server allow it. */
function holding(found: FoundConfig): RealtimeConfig {
  const limits = limitsOf(found)
  const config = { ...realtimeDefaults(found.tier), ...found.chosen }
  return {
    ...config,
    max_concurrent_users: Math.min(config.max_concurrent_users, limits.max_concurrent_users),
    max_payload_size_in_kb: Math.min(config.max_payload_size_in_kb, limits.max_payload_size_in_kb),
    connection_pool:
      config.connection_pool === null
        ? null
        : Math.min(config.connection_pool, limits.connection_pool),
  }
}

/** @throws ApiError plan_limit, or invalid_input for what the server does not have */
function checkLimits(asked: RealtimeChanges, limits: RealtimeLimits): void {
  for (const key of ['max_concurrent_users', 'max_payload_size_in_kb'] as const) {
    if ((asked[key] ?? 0) > limits[key]) {
      throw new ApiError('plan_limit', `${key}: the plan allows ${limits[key]} at most`)
    }
  }
  if ((asked.connection_pool ?? 0) > limits.connection_pool) {
    const message = `connection_pool: the database takes ${limits.connection_pool} connections in all`
    throw new ApiError('invalid_input', message)
  }
}

const namedIn = (asked: RealtimeChanges): Partial<RealtimeConfig> =>
  Object.fromEntries(realtimeKeys.flatMap((key) => (asked[key] == null ? [] : [[key, asked[key]]])))

const only = (config: RealtimeConfig, keys: readonly RealtimeKey[]) =>
  Object.fromEntries(keys.map((key) => [key, config[key]]))
