import { planLimits } from '#contract/limits'
import { planIds, planNames, type PlanId } from '#contract/billing/plans'
import type { LogSource } from '#contract/observability/log-sources'
import { counted } from '../../ui/text/number.ts'

const minute = 60_000
const hour = 60 * minute
export const day = 24 * hour

/** The ranges that are offered; all of them end now. */
export const presets = [
  { id: '15m', label: 'Last 15 minutes', ms: 15 * minute },
  { id: '1h', label: 'Last hour', ms: hour },
  { id: '3h', label: 'Last 3 hours', ms: 3 * hour },
  { id: '24h', label: 'Last 24 hours', ms: day },
  { id: '3d', label: 'Last 3 days', ms: 3 * day },
  { id: '7d', label: 'Last 7 days', ms: 7 * day },
] as const
export type PresetId = (typeof presets)[number]['id']
export const presetIds = presets.map(({ id }) => id)
export const firstPreset: PresetId = '1h'

/** From `from`, up to but not at `to`, in milliseconds since 1970. */
export type Range = { from: number; to: number }
export type RangeChoice = {
  range?: PresetId | undefined
  /** Both, or the choice is the preset's. */
  from?: string | undefined
  to?: string | undefined
}

/** The one that was chosen, or nothing where only a preset was, or what stands there is no range. */
export function fixedRange({ from, to }: RangeChoice): Range | undefined {
  const range = { from: Date.parse(from ?? ''), to: Date.parse(to ?? '') }
  return range.from < range.to ? range : undefined
}

/**
 * Which time a choice stands for when it is `now`, without what is not kept any more. A time of which nothing is kept stays,
 * for the server to say so.
 */
export function rangeOf(choice: RangeChoice, now: number, keptMs: number): Range {
  const { from, to } = fixedRange(choice) ?? { from: now - presetOf(choice.range).ms, to: now }
  return { from: to > now - keptMs ? Math.max(from, now - keptMs) : from, to }
}

const presetOf = (id: PresetId | undefined) =>
  presets.find((preset) => preset.id === (id ?? firstPreset)) ?? presets[1]

/** As an address and the server have it. */
export const choiceOf = ({ from, to }: Range): { from: string; to: string } => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
})

/** The same length of time, right before. */
export const before = ({ from, to }: Range): Range => ({ from: from - (to - from), to: from })

/** The next longer range of those offered, for who found nothing; undefined: it is the longest that is kept. */
export const widerThan = ({ from, to }: Range, keptMs: number): PresetId | undefined =>
  presets.find(({ ms }) => ms > to - from && ms <= keptMs)?.id

/** How long a plan keeps entries of a source; those of the audit of Auth have their own time. */
function keptBy(plan: PlanId, source: LogSource): number {
  const { logRetentionDays, authAuditHours } = planLimits[plan]
  const all = logRetentionDays * day
  return source === 'auth_audit_logs' ? Math.min((authAuditHours ?? Infinity) * hour, all) : all
}

/** How long entries of a source are kept (milliseconds) where the plan keeps logs for so many days. */
export function keptMs(source: LogSource, retentionDays: number): number {
  const plan = planIds.find((id) => planLimits[id].logRetentionDays === retentionDays)
  return plan ? keptBy(plan, source) : retentionDays * day
}

/** Why a range that goes back so far is not offered; undefined when it is. */
export function denialOf(ms: number, source: LogSource, kept: number): string | undefined {
  if (ms <= kept) return undefined
  const plan = planIds.find((id) => keptBy(id, source) >= ms)
  return plan
    ? `The ${planNames[plan]} plan keeps these logs for ${spelt(keptBy(plan, source))}`
    : keptText(kept)
}

export const keptText = (kept: number): string => `These logs are kept for ${spelt(kept)}`

const spelt = (ms: number): string =>
  ms < day ? counted(Math.round(ms / hour), 'hour') : counted(Math.round(ms / day), 'day')

const two = (value: number) => String(value).padStart(2, '0')

/** As the browser's own field for a day and a time has it, in the reader's zone. */
export function localText(ms: number): string {
  const date = new Date(ms)
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`
}
