import { ChevronDown } from 'lucide-react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Menu } from '../../../../ui/floats/Menu.tsx'
import { MenuChoice, MenuLabel } from '../../../../ui/floats/MenuItem.tsx'
import { Icon } from '../../../../ui/Icon.tsx'

export type Source = {
  /** Those that there are. */
  replicas: readonly string[]
  /** The one that queries run on; the primary unless told. */
  replica: string | undefined
  onChange: (replica: string | undefined) => void
}

/** On which server of the project a query runs. */
export function SourcePicker({ replicas, replica, onChange }: Source) {
  const name = replica === undefined ? 'Primary' : `Replica ${replica}`
  return (
    <Menu
      label="Source"
      trigger={
        <Button variant="ghost" aria-label={`Source: ${name}`}>
          {name}
          <Icon of={ChevronDown} size="xs" className="sql-caret" />
        </Button>
      }
    >
      <MenuLabel>Server that runs the query</MenuLabel>
      <MenuChoice
        label="Source"
        options={[
          { value: '', label: 'Primary database' },
          ...replicas.map((one) => ({ value: one, label: `Read replica ${one} (read only)` })),
        ]}
        value={replica ?? ''}
        onChange={(value) => onChange(value === '' ? undefined : value)}
      />
    </Menu>
  )
}
