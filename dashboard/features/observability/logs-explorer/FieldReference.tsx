import { useState } from 'react'
import { fieldPlaces } from '#contract/observability/log-fields'
import { logSourceTable, logSources, type LogSource } from '#contract/observability/log-sources'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { InlinePanel } from '../../../ui/floats/InlinePanel.tsx'
import type { LogDialect } from './kept-queries.ts'

type Props = {
  open: boolean
  /** The sources that the query names. */
  named: readonly LogSource[]
  dialect: LogDialect
  withMetadata: boolean
  onInsert: (text: string) => void
  onClose: () => void
}

/** The fields of a source; a click writes one into the query. */
export function FieldReference({ open, named, dialect, withMetadata, onInsert, onClose }: Props) {
  const [chosen, setChosen] = useState<LogSource>()
  const [search, setSearch] = useState('')
  const source = chosen ?? named[0] ?? 'edge_logs'
  const needle = search.trim().toLowerCase()
  const fields = referenceOf(source, dialect, withMetadata).filter(({ name }) =>
    name.toLowerCase().includes(needle),
  )
  return (
    <InlinePanel open={open} size="medium" title="Field reference" onClose={onClose}>
      <Select<LogSource>
        label="Source"
        options={askedSources.map((value) => ({
          value,
          label: logSourceTable[value].title,
          detail: value,
        }))}
        value={source}
        onChange={setChosen}
      />
      <p className="muted">{logSourceTable[source].about}.</p>
      <SearchField label="Find a field" value={search} onChange={setSearch} keys={false} />
      {fields.length === 0 ? (
        <p className="muted">No field of this source contains these words.</p>
      ) : (
        <ul className="lx-fields" aria-label={`Fields of ${logSourceTable[source].title}`}>
          {fields.map(({ name, type, insert }) => (
            <li key={name}>
              <button type="button" onClick={() => onInsert(insert)} title={`Insert ${insert}`}>
                <span className="mono">{name}</span>
                <span className="faint t12">{type}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </InlinePanel>
  )
}

type ReferenceField = {
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
