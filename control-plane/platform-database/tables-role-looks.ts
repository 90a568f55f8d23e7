import type { JSONColumnType } from 'kysely'
import type { RoleLook } from '#compute/provider'

export type RoleLookTables = {
  'platform.role_looks': {
    project_id: string
    looked_at: Date
    findings: JSONColumnType<RoleLook['findings']>
    failure: string | null
  }
}
