import type { ColumnType, Generated, JSONColumnType } from 'kysely'

type Stamp = ColumnType<Date, Date | undefined, Date>

export type StorageJobTables = {
  'platform.storage_jobs': {
    id: Generated<string>
    project_id: string
    kind: 'move' | 'copy' | 'remove'
    bucket: string
    to_bucket: string | null
    items: JSONColumnType<{ from: string; to?: string | undefined }[]>
    item: Generated<number>
    after: Generated<string>
    done: ColumnType<string, never, string>
    failed: ColumnType<string, never, string>
    status: Generated<'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED'>
    failure: Generated<string | null>
    started_by: string
    created_at: Stamp
    finished_at: Generated<Date | null>
  }
}
