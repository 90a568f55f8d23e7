import { BookOpen, Table2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { fieldPlaces } from '#contract/observability/log-fields'
import { logSourceTable, logSources, type LogSource } from '#contract/observability/log-sources'
import type { Range, RangeChoice } from '../../../modules/logs/range.ts'
import { RangePicker } from '../../../modules/logs/RangePicker.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { InlinePanel } from '../../../ui/floats/InlinePanel.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
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

type ExplorerBarProps = {
  dialect: LogDialect
  params: RangeChoice
  range: Range
  /** For how long entries are kept, in milliseconds. */
  kept: number
  hasReference: boolean
  onDialect: (dialect: LogDialect) => void
  onSource: (source: LogSource) => void
  onReference: () => void
  onRange: (choice: RangeChoice) => void
  save: ReactNode
  run: ReactNode
}

const dialects = [
  { value: 'analytics', label: 'Table per source' },
  { value: 'columns', label: 'One table' },
] as const

/** What helps to write a query, which time it is about, and what runs it. */
export function ExplorerBar(props: ExplorerBarProps) {
  const { dialect, params, range, kept, hasReference, save, run } = props
  const { onDialect, onSource, onReference, onRange } = props
  return (
    <div className="lx-bar">
      <Segmented label="SQL dialect" options={dialects} value={dialect} onChange={onDialect} />
      <Menu label="Sources" trigger={<Button icon={Table2}>Insert source</Button>}>
        {askedSources.map((source) => (
          <MenuItem key={source} onSelect={() => onSource(source)}>
            {logSourceTable[source].title}
            <span className="choice-help mono">{source}</span>
          </MenuItem>
        ))}
      </Menu>
      <Button icon={BookOpen} aria-pressed={hasReference} onClick={onReference}>
        Field reference
      </Button>
      <span className="lx-bar-end">
        <RangePicker choice={params} source="edge_logs" onChoice={onRange} {...{ range, kept }} />
        {save}
        {run}
      </span>
    </div>
  )
}
