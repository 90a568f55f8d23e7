import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { DiagramLayout } from '#contract/database/diagram-layouts'

/** What migrations/0014_diagram_layouts.sql makes. */
export type DiagramTables = {
  'platform.diagram_layouts': {
    id: Generated<string>
    project_id: string
    schema_name: string
    owner_id: string | null
    positions: JSONColumnType<DiagramLayout['positions']>
    updated_by: string | null
    updated_at: ColumnType<Date, Date | undefined, Date>
  }
}
