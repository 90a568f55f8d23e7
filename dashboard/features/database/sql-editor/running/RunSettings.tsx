import { SlidersHorizontal } from 'lucide-react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Popover } from '../../../../ui/floats/Popover.tsx'
import { SelectField } from '../../../../ui/controls/Select.tsx'
import { Switch } from '../../../../ui/controls/Switch.tsx'
import { setEditorPreference, useEditorPreferences } from '../editor/editor-preferences.ts'
import { timeoutLabel, timeouts } from './runs.ts'

type Props = {
  /** Why this person's runs only ever read, if they do. */
  writeDenial: string | undefined
}

const options = timeouts.map(({ value, label }) => ({ value: String(value), label }))

/** How texts run here: for how long, reading only, inside a transaction. */
export function RunSettings({ writeDenial }: Props) {
  const { timeoutMs, readOnly, inTransaction, wrap } = useEditorPreferences()
  const onlyReads = readOnly || writeDenial !== undefined
  const parts = [
    ...(readOnly ? ['Read only'] : []),
    ...(inTransaction && !onlyReads ? ['Transaction'] : []),
  ]
  return (
    <Popover
      label="Run settings"
      trigger={
        <Button variant="ghost" icon={SlidersHorizontal} aria-label="Run settings">
          <span className="hide-narrow">{parts.length > 0 ? parts.join(', ') : 'Settings'}</span>
        </Button>
      }
    >
      <div className="sql-settings">
        <SelectField
          label="Statement timeout"
          options={options}
          value={String(timeoutMs)}
          placeholder={timeoutLabel(timeoutMs)}
          onChange={(value) => setEditorPreference({ timeoutMs: Number(value) })}
        />
        <Switch
          label="Read only"
          help={writeDenial ?? 'Postgres refuses statements that change anything.'}
          checked={onlyReads}
          disabled={writeDenial !== undefined}
          onChange={(checked) => setEditorPreference({ readOnly: checked })}
        />
        <Switch
          label="Keep a transaction open"
          help={
            onlyReads
              ? 'Read-only statements have nothing to commit.'
              : 'Nothing is saved until you commit. An idle transaction is rolled back after 5 minutes.'
          }
          checked={inTransaction && !onlyReads}
          disabled={onlyReads}
          onChange={(checked) => setEditorPreference({ inTransaction: checked })}
        />
        <Switch
          label="Wrap long lines"
          checked={wrap}
          onChange={(checked) => setEditorPreference({ wrap: checked })}
        />
      </div>
    </Popover>
  )
}
