import { useState } from 'react'
import { logSourceTable, type LogSource } from '#contract/observability/log-sources'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { InlinePanel } from '../../../ui/floats/InlinePanel.tsx'
import { askedSources, referenceOf } from './field-reference.ts'
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
