import type { ColumnType, Generated } from 'kysely'

/** What migrations/0040_orphans.sql makes. */
export type OrphanTables = {
  'platform.orphans': {
    kind: 'project' | 'backup'
    ref: string
    name: Generated<string>
    state: Generated<string>
    found_at: ColumnType<Date, Date | undefined, Date>
  }
}
