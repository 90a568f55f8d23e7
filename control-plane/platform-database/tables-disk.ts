import type { Generated } from 'kysely'
import type { DiskState } from '#contract/projects/disk'

export type DiskTables = {
  'platform.project_disk': {
    project_id: string
    measured_at: Date
    /** Read as text, since it is an int8. */
    database_bytes: string
    other_bytes: string
    state: DiskState
    writable_until: Date | null
    /** The server may have been told because of this. */
    read_only: Generated<boolean>
  }
}
