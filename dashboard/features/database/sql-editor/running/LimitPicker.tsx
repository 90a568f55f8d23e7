import { ChevronDown } from 'lucide-react'
import { rowLimits } from '#contract/database/sql/sql-query'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { Menu } from '../../../../ui/floats/Menu.tsx'
import { MenuChoice } from '../../../../ui/floats/MenuChoice.tsx'
import { MenuLabel } from '../../../../ui/floats/MenuLabel.tsx'
import { setEditorPreference, useEditorPreferences } from '../editor/editor-preferences.ts'

const labelOf = (limit: number | null) => (limit === null ? 'No limit' : `Limit ${limit}`)
const options = rowLimits.map((limit) => ({ value: String(limit), label: labelOf(limit) }))

/** How many rows a SELECT without a limit of its own may bring. */
export function LimitPicker() {
  const limit = useEditorPreferences((preferences) => preferences.limit)
  return (
    <Menu
      label="Row limit"
      trigger={
        <Button variant="ghost" aria-label={`Row limit: ${labelOf(limit)}`}>
          {limit === null ? 'No limit' : <LimitOf limit={limit} />}
          <Icon of={ChevronDown} size="xs" className="sql-caret" />
        </Button>
      }
    >
      <MenuLabel>Rows of a SELECT without a limit</MenuLabel>
      <MenuChoice
        label="Row limit"
        options={options}
        value={String(limit)}
        onChange={(value) =>
          setEditorPreference({ limit: value === 'null' ? null : Number(value) })
        }
      />
    </Menu>
  )
}

/** On a phone the number alone: what it is stands in the name of the button. */
const LimitOf = ({ limit }: { limit: number }) => (
  <span>
    <span className="hide-narrow">Limit </span>
    {limit}
  </span>
)
