import { Sparkles } from 'lucide-react'
import { Field } from '../../ui/controls/Field.tsx'
import { IconButton } from '../../ui/controls/IconButton.tsx'
import { Menu } from '../../ui/floats/Menu.tsx'
import { MenuItem } from '../../ui/floats/MenuItem.tsx'
import { suggestedDefaults } from './column-types.ts'
import type { DraftColumn } from './draft-table.ts'

type Props = {
  column: DraftColumn
  enums: readonly string[]
  help?: string
  onChange: (value: string) => void
}

/** A default: a value, or SQL. Behind the button are those that columns of the type often have. */
export function DefaultField({ column, enums, help, onChange }: Props) {
  const taken = column.identity
    ? 'Auto-increment'
    : column.generated.trim()
      ? 'Generated'
      : undefined
  const suggestions = taken ? [] : suggestedDefaults(column.type, column.isArray, enums)
  return (
    <Field label="Default" help={help}>
      {(control) => (
        <div className="in f mono ends" aria-disabled={taken ? true : undefined}>
          <input
            type="text"
            {...control}
            autoComplete="off"
            disabled={taken !== undefined}
            placeholder={taken ?? 'NULL'}
            value={taken ? '' : column.default}
            onChange={(event) => onChange(event.target.value)}
          />
          {suggestions.length > 0 && (
            <Menu
              label="Suggested defaults"
              align="end"
              trigger={<IconButton icon={Sparkles} iconSize="s" label="Suggested defaults" />}
            >
              {suggestions.map(({ value, what }) => (
                <MenuItem key={value} onSelect={() => onChange(value)}>
                  <span className="mono">{value}</span>
                  <span className="choice-help">{what}</span>
                </MenuItem>
              ))}
            </Menu>
          )}
        </div>
      )}
    </Field>
  )
}
