import type { ColumnType, Generated } from 'kysely'
import type { Backup } from '#contract/projects/backups'
import type { ProjectStatus } from '#contract/projects/project-status'

type Stamp = ColumnType<Date, Date | undefined, Date>

export type BackupTables = {
  'platform.backups': {
    id: Generated<string>
    project_id: string
    reason: Backup['reason']
    status: ColumnType<Backup['status'], undefined, Backup['status']>
    taken_at: Generated<Date | null>
    size_bytes: Generated<string | null>
    tables: Generated<number | null>
    rows: Generated<string | null>
    failure: Generated<string | null>
    inserted_at: Stamp
    finished_at: Generated<Date | null>
    expires_at: Date
  }
  'platform.restores': {
    id: Generated<string>
    project_id: string
    source_id: string
    backup_id: string | null
    until: Date | null
    restored_to: Date
    came_from: ProjectStatus
    safety_id: string | null
    status: ColumnType<'IN_PROGRESS' | 'COMPLETED' | 'FAILED', undefined, string>
    inserted_at: Stamp
    finished_at: Generated<Date | null>
  }
}
