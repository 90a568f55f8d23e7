import { fieldPlaces } from '#contract/observability/log-fields'
import { logSources, logSourceTable, type LogSource } from '#contract/observability/log-sources'
import type { LogDialect } from './kept-queries.ts'

export type ReferenceField = {
  /** As it is shown: its path. */
  name: string
  type: 'timestamp' | 'string' | 'number' | 'boolean'
  /** As it is written in a query. */
  insert: string
}

/** Sources that this installation has. */
export const askedSources = logSources.filter((source) => !logSourceTable[source].absent)

/** The sources that a query names, in the order of the list. */
export const sourcesIn = (sql: string): LogSource[] =>
  logSources.filter((source) => new RegExp(String.raw`\b${source}\b`, 'i').test(sql))

/** The fields of a source that can have a value here, as the dialect writes them. */
export function referenceOf(
  source: LogSource,
  dialect: LogDialect,
  withMetadata: boolean,
): ReferenceField[] {
  const fields = [...fieldPlaces(source)].flatMap(([path, place]): ReferenceField[] => {
    const isOfEntry = !path.startsWith('metadata.')
    if (place.kind === 'absent' || (!isOfEntry && !withMetadata)) return []
    const type =
      place.kind === 'column' && (place.column === 'level' || place.column === 'id')
        ? 'string'
        : place.type
    if (dialect === 'analytics' || isOfEntry) return [{ name: path, type, insert: path }]
    const key = path.slice('metadata.'.length)
    return [{ name: key, type, insert: `log_attributes['${key}']` }]
  })
  const time: ReferenceField = { name: 'timestamp', type: 'timestamp', insert: 'timestamp' }
  return [time, ...fields]
}
