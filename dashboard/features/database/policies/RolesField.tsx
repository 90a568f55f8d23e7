import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { Field } from '../../../ui/controls/Field.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { OptionList } from '../../../ui/lists/OptionList.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import { roleNamesQuery } from './queries.ts'

type Props = {
  projectRef: string
  roles: readonly string[]
  error: string | undefined
  onRoles: (roles: string[]) => void
}

const first = ['public', 'anon', 'authenticated', 'service_role']
const words: Record<string, string> = {
  public: 'everybody',
  anon: 'not signed in',
  authenticated: 'signed in, including anonymous users',
  service_role: 'bypasses every policy',
}

/** The roles that a policy is for. */
export function RolesField({ projectRef, roles, error, onRoles }: Props) {
  const [open, setOpen] = useState(false)
  const { data = [] } = useQuery(roleNamesQuery(projectRef))
  const names = [...first, ...data.map(({ name }) => name).filter((name) => !first.includes(name))]
  return (
    <Field
      label="Roles"
      help="Users who signed in anonymously are authenticated too."
      error={error}
    >
      {(control) => (
        <div className="policy-roles">
          {roles.map((role) => (
            <span key={role} className="policy-role mono">
              {role}
              <button
                type="button"
                aria-label={`Remove ${role}`}
                onClick={() => onRoles(roles.filter((one) => one !== role))}
              >
                <Icon of={X} size="xs" />
              </button>
            </span>
          ))}
          <Popover
            label="Roles"
            open={open}
            onOpenChange={setOpen}
            trigger={
              <Button {...control} variant="ghost" icon={Plus}>
                Add role
              </Button>
            }
          >
            <OptionList
              label="Roles"
              search="Find a role"
              options={names
                .filter((name) => !roles.includes(name))
                .map((name) => ({ value: name, label: name, detail: words[name] }))}
              value={undefined}
              onSelect={(role) => {
                setOpen(false)
                onRoles([...roles, role])
              }}
            />
          </Popover>
        </div>
      )}
    </Field>
  )
}
