import type { ColumnType, Generated } from 'kysely'

/** Tables of migration 0003. */
export type AccountTables = {
  'platform.access_tokens': {
    id: Generated<string>
    user_id: string
    name: string
    token_hash: string
    token_alias: string
    expires_at: Date | null
    last_used_at: Date | null
    inserted_at: ColumnType<Date, Date | undefined, Date>
  }
}
