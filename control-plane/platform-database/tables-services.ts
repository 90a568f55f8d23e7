import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { FunctionStatus } from '#contract/v1/v1-functions'
import type { Stamp } from './stamp.ts'

/** Rows of the services of projects: auth, functions, storage, realtime, webhooks. */
export type ServicesTables = {
  'platform.auth_configs': {
    project_id: string
    settings: JSONColumnType<Record<string, unknown>>
    /** Sealed texts, by key. */
    sealed_secrets: JSONColumnType<Record<string, string>>
    updated_at: Stamp
  }
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
  'platform.realtime_configs': {
    project_id: string
    settings: JSONColumnType<Record<string, unknown>>
    updated_at: Stamp
  }
  'platform.webhook_projects': {
    project_id: string
    enabled_at: Stamp
  }
  'platform.net_projects': {
    project_id: string
    found_at: Stamp
  }
  'platform.webhook_secrets': {
    project_id: string
    id: string
    sealed_secret: string
    sealed_previous: string | null
    previous_until: Date | null
    created_at: Stamp
  }
  'platform.cron_projects': {
    project_id: string
    found_at: Stamp
  }
  'platform.vault_keys': {
    id: string
    project_id: string
    sealed_key: string
    state: 'current' | 'retiring' | 'former'
    state_since: Stamp
    made_at: Stamp
  }
}
