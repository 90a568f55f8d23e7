import type { ColumnType, Generated } from 'kysely'
import type { SightingKind, StoredMetric } from '#contract/billing/usage-metrics'
import type { Tier } from '#contract/billing/plans'

/** Written as text, such as 2026-11-26. */
type Day = ColumnType<Date, string, string>

/** What projects use; the values are read as text, since they are int8. */
export type UsageTables = {
  'platform.usage_minutes': {
    project_ref: string
    metric: StoredMetric
    minute: Date
    start_id: string
    organization_id: string
    value: string
    stale: Generated<boolean>
  }
  'platform.usage_hours': {
    organization_id: string
    project_ref: string
    metric: StoredMetric
    hour: Date
    value: string
  }
  'platform.usage_days': {
    organization_id: string
    project_ref: string
    metric: StoredMetric
    day: Day
    value: string
    hours: number
  }
  'platform.usage_sightings': {
    organization_id: string
    project_ref: string
    kind: SightingKind
    cycle_start: Date
    hash: Buffer
    seen_at: Date
  }
  'platform.billing_cycles': {
    organization_id: string
    started_at: Date
    ended_at: Date
    /** Null: it goes on. */
    tier: Tier | null
  }
}
