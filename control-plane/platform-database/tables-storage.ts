import type { ColumnType, Generated } from 'kysely'

/** Written by the database when not given. */
type Stamp = ColumnType<Date, Date | undefined, Date>

export type StorageTables = {
  'platform.storage_keys': {
    id: Generated<string>
    project_id: string
    description: string
    access_key: string
    sealed_secret: string
    created_by: string | null
    created_at: Stamp
  }
  'platform.storage_configs': {
    project_id: string
    /** bigint travels as text, because a JavaScript number cannot hold all of them. */
    file_size_limit: string | null
    image_transformation: boolean | null
    s3_protocol: boolean | null
    updated_at: Stamp
  }
}
