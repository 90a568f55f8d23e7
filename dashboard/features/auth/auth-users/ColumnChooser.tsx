import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import type { Arrangement } from './arrangement.ts'
import { userColumns } from './user-columns.tsx'

type Props = { value: Arrangement; onChange: (next: Arrangement | undefined) => void }

/** Which columns are shown, and in which order. */
export function ColumnChooser({ value, onChange }: Props) {
  const off = useDisabledFeatures()
  const { order, hidden } = value
  const headOf = (id: string) => userColumns.find((column) => column.id === id)?.head ?? id
  const move = (at: number, by: -1 | 1) => {
    const next = [...order]
    const [moved] = next.splice(at, 1)
    if (moved !== undefined) next.splice(at + by, 0, moved)
    onChange({ order: next, hidden })
  }
  return (
    <Popover
      label="Columns"
      align="end"
      trigger={<IconButton icon={Columns3} variant="secondary" label="Columns" />}
    >
      <div className="users-columns">
        <ul>
          {order.map((id, at) =>
            id === 'phone' && off('authentication:show_email_phone_columns') ? null : (
              <li key={id}>
                <Checkbox
                  label={headOf(id)}
                  checked={!hidden.includes(id)}
                  onChange={({ target }) =>
                    onChange({
                      order,
                      hidden: target.checked ? hidden.filter((one) => one !== id) : [...hidden, id],
                    })
                  }
                />
                <span className="grow" />
                <IconButton
                  icon={ArrowUp}
                  iconSize="s"
                  label={`Move ${headOf(id)} to the left`}
                  disabledReason={at === 0 && 'This is the first column'}
                  onClick={() => move(at, -1)}
                />
                <IconButton
                  icon={ArrowDown}
                  iconSize="s"
                  label={`Move ${headOf(id)} to the right`}
                  disabledReason={at === order.length - 1 && 'This is the last column'}
                  onClick={() => move(at, 1)}
                />
              </li>
            ),
          )}
        </ul>
        <Button variant="ghost" onClick={() => onChange(undefined)}>
          Reset columns
        </Button>
      </div>
    </Popover>
  )
}
