import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { LogDrainType } from '#contract/observability/log-drain-shapes'
import type { Stamp } from './stamp.ts'

/** Rows of what is told to others of projects and organizations. */
export type ObservabilityTables = {
  'platform.log_drains': {
    id: Generated<string>
    token: string
    project_id: string | null
    organization_id: string | null
    name: string
    description: string
    type: LogDrainType
    config: JSONColumnType<Record<string, unknown>>
    sealed_secrets: string | null
    enabled: boolean
    revision: Generated<number>
    since: Date
    failure_told_at: Date | null
    loss_told_at: Date | null
    inserted_at: Stamp
    updated_at: Stamp
  }
  'platform.log_drain_reports': {
    drain_id: string
    start_id: string
    month: string
    delivered_until: Date | null
    last_success_at: Date | null
    failing_since: Date | null
    last_error: string | null
    next_attempt_at: Date | null
    events: string
    bytes: string
    lost: string
    lost_told: ColumnType<string, string | undefined, string>
    reported_at: Date
  }
}
