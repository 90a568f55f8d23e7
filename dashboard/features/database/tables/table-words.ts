import { entityKinds, type EntityKind } from '#contract/database/pg-meta-shapes'
import { numberText } from '../../../ui/text/number.ts'
import { oneOf, searchParams, text, type SearchOf } from '../../../session/search-params.ts'

export const kindLabels: Record<EntityKind, string> = {
  table: 'Table',
  partitioned_table: 'Partitioned table',
  view: 'View',
  materialized_view: 'Materialized view',
  foreign_table: 'Foreign table',
}

/** What the list of tables keeps in the address. */
export const readTablesSearch = searchParams({
  schema: text,
  find: text,
  kind: oneOf(...entityKinds),
})
export type TablesSearch = SearchOf<typeof readTablesSearch>

const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** 1536 → `1.5 kB`; in steps of 1024, as Postgres counts. */
export function sizeWords(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  const shown = unit === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10
  return `${numberText(shown, 1)} ${units[unit]}`
}
