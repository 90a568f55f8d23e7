import { ChevronDown, UserRound } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { impersonation } from '#contract/data-api/impersonation'
import { Button } from '../../ui/controls/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Popover } from '../../ui/floats/Popover.tsx'
import type { Impersonation, OwnRole } from './impersonation.ts'
import { useDenials } from '../../session/organization/permissions.ts'
import { useProject } from '../../session/project/project.ts'
import './role-picker.css'

const RoleChoice = lazy(() => import('./RoleChoice.tsx').then((m) => ({ default: m.RoleChoice })))

type Props = {
  projectRef: string
  /** undefined is `own`. */
  value: Impersonation | undefined
  /** What it is without a choice: the database's owner unless told. */
  own?: OwnRole
  onChange: (value: Impersonation | undefined) => void
  /** What is done as the role, as "View as". */
  verb: string
  align?: 'start' | 'end'
}

/** Chooses the role and the user that rows are read or SQL is run as. */
export function RolePicker({
  projectRef,
  value,
  onChange,
  verb,
  own = 'postgres',
  align = 'end',
}: Props) {
  const [open, setOpen] = useState(false)
  const denied = useDenials(useProject(projectRef))(impersonation.users)
  const label = value?.label ?? own
  const look = {
    variant: 'ghost',
    icon: UserRound,
    'aria-label': `${verb}: ${label}`,
    className: value ? 'role-picker is-other' : 'role-picker',
  } as const
  const inside = (
    <>
      <span className="faint">{verb}</span> <span className="ell">{label}</span>
      <Icon of={ChevronDown} size="xs" className="role-caret" />
    </>
  )
  if (denied)
    return (
      <Button {...look} disabledReason={denied}>
        {inside}
      </Button>
    )
  return (
    <Popover
      label={verb}
      align={align}
      open={open}
      onOpenChange={setOpen}
      trigger={<Button {...look}>{inside}</Button>}
    >
      <div className="role-choice">
        <Suspense>
          <RoleChoice
            projectRef={projectRef}
            value={value}
            verb={verb}
            own={own}
            onChoose={(next) => {
              setOpen(false)
              onChange(next)
            }}
          />
        </Suspense>
      </div>
    </Popover>
  )
}
