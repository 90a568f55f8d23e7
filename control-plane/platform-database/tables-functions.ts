import type { ColumnType, Generated } from 'kysely'
import type { FunctionStatus } from '#contract/v1/v1-functions'

type Stamp = ColumnType<Date, Date | undefined, Date>

export type FunctionTables = {
  'platform.functions': {
    id: Generated<string>
    project_id: string
    slug: string
    name: string
    status: ColumnType<FunctionStatus, FunctionStatus | undefined, FunctionStatus>
    verify_jwt: ColumnType<boolean, boolean | undefined, boolean>
    version: ColumnType<number, number | undefined, number>
    last_version: ColumnType<number, number | undefined, number>
    removed_at: Generated<Date | null>
    created_at: Stamp
    updated_at: Stamp
  }
  'platform.function_versions': {
    id: Generated<string>
    function_id: string
    version: number
    entrypoint_path: string
    import_map_path: string | null
    sha256: string
    bytes: number
    deployed_by: string
    created_at: Stamp
  }
  'platform.function_files': { version_id: string; path: string; content: Buffer }
}
