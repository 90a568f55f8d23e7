import { BookOpen, Table2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { logSourceTable, type LogSource } from '#contract/observability/log-sources'
import type { Range, RangeChoice } from '../../../modules/logs/range.ts'
import { RangePicker } from '../../../modules/logs/RangePicker.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { askedSources } from './FieldReference.tsx'
import type { LogDialect } from './kept-queries.ts'

type Props = {
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
export function ExplorerBar(props: Props) {
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
