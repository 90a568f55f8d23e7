import { Plus } from 'lucide-react'
import { Button } from '../../../ui/controls/Button.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { otherIssuer, parties, type Party } from './parties.ts'

export type Choice = Party | 'custom'
type Props = { reason: string | undefined; onChoose: (choice: Choice) => void }

/** Whose tokens are to be taken. */
export function AddMenu({ reason, onChoose }: Props) {
  if (reason)
    return (
      <Button variant="primary" icon={Plus} disabledReason={reason}>
        Add integration
      </Button>
    )
  return (
    <Menu
      label="Add integration"
      align="end"
      trigger={
        <Button variant="primary" icon={Plus}>
          Add integration
        </Button>
      }
    >
      {parties.map((party) => (
        <MenuItem key={party.type} onSelect={() => onChoose(party)}>
          {party.title}
        </MenuItem>
      ))}
      <MenuItem onSelect={() => onChoose('custom')}>{otherIssuer.title}</MenuItem>
    </Menu>
  )
}
