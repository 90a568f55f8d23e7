import type { EntityKind } from '#contract/database/pg-meta-shapes'

export const kindLabels: Record<EntityKind, string> = {
  table: 'Table',
  partitioned_table: 'Partitioned table',
  view: 'View',
  materialized_view: 'Materialized view',
  foreign_table: 'Foreign table',
}
const isKind = (text: unknown): text is EntityKind =>
  typeof text === 'string' && Object.hasOwn(kindLabels, text)

/** What the list of tables keeps in the address. */
export type TablesSearch = { schema?: string; find?: string; kind?: EntityKind }

export const readTablesSearch = ({
  schema,
  find,
  kind,
}: Record<string, unknown>): TablesSearch => ({
  ...(typeof schema === 'string' && schema ? { schema } : {}),
  ...(typeof find === 'string' && find ? { find } : {}),
  ...(isKind(kind) ? { kind } : {}),
})
