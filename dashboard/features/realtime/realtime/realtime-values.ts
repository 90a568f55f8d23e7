import type { RealtimeConfig, RealtimeLimits } from '#contract/realtime/realtime-config'
import { realtimeBounds } from '#contract/realtime/realtime'

/** The settings that are numbers, in the order of the form. */
export const amounts = [
  'connection_pool',
  'max_concurrent_users',
  'max_events_per_second',
  'max_bytes_per_second',
  'max_channels_per_client',
  'max_joins_per_second',
  'max_presence_events_per_second',
  'max_payload_size_in_kb',
] as const
export type Amount = (typeof amounts)[number]

/** The form: switches, and numbers as the reader types them. */
export type RealtimeValues = Record<Amount, string> & { suspend: boolean; private_only: boolean }

export const valuesOf = (config: RealtimeConfig): RealtimeValues => ({
  suspend: config.suspend,
  private_only: config.private_only,
  // One entry for each of them, in a shape that fromEntries cannot tell.
  ...(Object.fromEntries(amounts.map((key) => [key, String(config[key] ?? '')])) as Record<
    Amount,
    string
  >),
})

/** Most that each number can be: by the plan and the server where these say it. */
export const maxOf = (limits: RealtimeLimits): Record<Amount, number> => ({
  max_events_per_second: realtimeBounds.maxEventsPerSecond,
  max_bytes_per_second: realtimeBounds.maxBytesPerSecond,
  max_channels_per_client: realtimeBounds.maxChannelsPerClient,
  max_joins_per_second: realtimeBounds.maxJoinsPerSecond,
  max_presence_events_per_second: realtimeBounds.maxPresenceEventsPerSecond,
  ...limits,
})

/** What differs from what is saved, as the endpoint takes it. */
export function changesOf(values: RealtimeValues, config: RealtimeConfig): Partial<RealtimeConfig> {
  const before = valuesOf(config)
  const changed = amounts.filter((key) => values[key].trim() !== before[key])
  return {
    ...(values.suspend !== config.suspend && { suspend: values.suspend }),
    ...(values.private_only !== config.private_only && { private_only: values.private_only }),
    ...Object.fromEntries(
      changed.map((key) => [key, values[key].trim() === '' ? null : Number(values[key])]),
    ),
  }
}

/** What is wrong, by field. Only the pool may be empty: as many as the installation gives. */
export function problemsIn(
  values: RealtimeValues,
  limits: RealtimeLimits,
): Partial<Record<Amount, string>> {
  const max = maxOf(limits)
  const wrong = amounts.filter((key) => {
    const text = values[key].trim()
    if (text === '' && key === 'connection_pool') return false
    return !/^\d{1,9}$/.test(text) || Number(text) < 1 || Number(text) > max[key]
  })
  return Object.fromEntries(
    wrong.map((key) => [
      key,
      `A whole number from 1 to ${max[key]}${key === 'connection_pool' ? ', or nothing' : ''}`,
    ]),
  )
}

/** Whether the service would take more than half of what the database gives all. */
export const takesMuch = (pool: string, limits: RealtimeLimits): boolean =>
  Number(pool) * 2 > limits.connection_pool
