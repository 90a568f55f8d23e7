import type { ColumnType, Generated } from 'kysely'
import type { Condition } from '#contract/operations/alerts'
import type { PlaneKind } from '#contract/operations/planes'
import type { Stamp } from './stamp.ts'

/** Of the installation itself, for whoever runs it. */
export type OperationsTables = {
  'platform.operators': { user_id: string; added_at: Stamp }
  'platform.leases': { name: string; holder: string; expires_at: Date }
  'platform.rate_counts': { key: string; points: number; until: Date }
  'platform.planes': {
    kind: PlaneKind
    place: string
    version: string
    started_at: Date
    heard_at: Date
    ended_at: Date | null
    memory_bytes: ColumnType<string, number, number>
    /** Read as an object, written as JSON text; read by a schema, because another version may have written it. */
    facts: ColumnType<object, string | undefined, string>
  }
  'platform.alerts': {
    id: Generated<string>
    condition: Condition
    subject: string
    message: string
    opened_at: Date
    closed_at: Date | null
  }
  'platform.alert_deliveries': {
    id: Generated<string>
    alert_id: string
    event: 'opened' | 'closed'
    queued_at: Date
    attempts: Generated<number>
    next_at: Date
    failure: string | null
    told_at: Date | null
    given_up_at: Date | null
  }
  'platform.alert_settings': {
    only_row: Generated<boolean>
    emails: Generated<string[]>
    webhook_url: string | null
    sealed_webhook_secret: string | null
    muted: Generated<string[]>
    updated_at: Stamp
  }
}
