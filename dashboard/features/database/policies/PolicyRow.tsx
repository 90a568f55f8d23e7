import { Ellipsis, Globe, Pencil, Trash2 } from 'lucide-react'
import type { Policy } from '#contract/database/pg-meta-shapes'
import { Badge } from '../../../ui/text/Badge.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { MenuSeparator } from '../../../ui/floats/MenuSeparator.tsx'

type Props = {
  policy: Policy
  locked: string | undefined
  onEdit: () => void
  onDrop: () => void
}

/** What a policy is for, for whom, and by which expression. */
export function PolicyRow({ policy, locked, onEdit, onDrop }: Props) {
  const { name, command, action, roles, definition, check } = policy
  const forAnon =
    action === 'PERMISSIVE' && roles.some((role) => role === 'anon' || role === 'public')
  return (
    <li className="policy-row">
      <span className="policy-command mono">{command}</span>
      <div className="policy-what">
        <span className="row policy-line">
          <button type="button" className="policy-name" onClick={onEdit}>
            {name}
          </button>
          {action === 'RESTRICTIVE' && <Badge tone="info">Restrictive</Badge>}
          {forAnon && (
            <Badge tone="warning" icon={Globe}>
              Without sign-in
            </Badge>
          )}
        </span>
        <span className="muted t12">
          {roles.length === 1 ? 'Role' : 'Roles'} <span className="mono">{roles.join(', ')}</span>
        </span>
        {definition !== null && <Expression what="Using" sql={definition} />}
        {check !== null && <Expression what="With check" sql={check} />}
      </div>
      <Menu
        label={`What to do with ${name}`}
        align="end"
        trigger={<IconButton icon={Ellipsis} label={`What to do with ${name}`} />}
      >
        <MenuItem icon={Pencil} onSelect={onEdit}>
          {locked ? 'View' : 'Edit'}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Trash2} danger disabledReason={locked} onSelect={onDrop}>
          Drop policy
        </MenuItem>
      </Menu>
    </li>
  )
}

function Expression({ what, sql }: { what: string; sql: string }) {
  return (
    <span className="policy-expression">
      <span className="faint t12">{what}</span>
      <code className="mono t12">{sql}</code>
    </span>
  )
}
