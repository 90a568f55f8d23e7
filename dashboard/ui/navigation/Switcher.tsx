import { ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Icon } from '../Icon.tsx'
import { Popover } from '../floats/Popover.tsx'

type Props = {
  /** "Switch project". */
  label: string
  /** What the crumb shows: the current thing. */
  current: ReactNode
  /** The list (an OptionList), mounted while it is open. */
  children: (close: () => void) => ReactNode
}

/** One part of the breadcrumb: the thing's name, and a searchable list of its siblings. */
export function Switcher({ label, current, children }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      label={label}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className="crumb">
          {current}
          <Icon of={ChevronsUpDown} size="xs" />
          <span className="sr">{label}</span>
        </button>
      }
    >
      <div className="swt">{children(() => setOpen(false))}</div>
    </Popover>
  )
}
