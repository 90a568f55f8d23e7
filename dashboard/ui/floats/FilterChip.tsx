import { X } from 'lucide-react'
import { useState, type ReactElement, type ReactNode } from 'react'
import { Icon } from '../Icon.tsx'
import { Popover } from './Popover.tsx'

/** What makes or changes a condition; it closes what it is in. */
type FormIn = (close: () => void) => ReactNode

type FilterChipProps = {
  /** As "filter on status". */
  what: string
  /** The condition in words, where its name alone does not say it. */
  words?: string
  /** The condition as it is seen: an element for each of its parts. */
  parts: ReactNode
  form: FormIn
  onRemove: () => void
}

/** A condition in a bar. It opens to be changed; Delete removes it while it has the focus. */
export function FilterChip({ what, words, parts, form, onRemove }: FilterChipProps) {
  const [open, setOpen] = useState(false)
  const label = `Change the ${what}`
  return (
    <span className="chip">
      <Popover
        label={label}
        open={open}
        onOpenChange={setOpen}
        trigger={
          <button
            type="button"
            className="chip-parts"
            aria-label={words === undefined ? label : `${label}: ${words}`}
            aria-keyshortcuts="Delete"
            onKeyDown={(event) => {
              if (event.key !== 'Delete' && event.key !== 'Backspace') return
              event.preventDefault()
              onRemove()
            }}
          >
            {parts}
          </button>
        }
      >
        {form(() => setOpen(false))}
      </Popover>
      <button type="button" aria-label={`Remove the ${what}`} onClick={onRemove}>
        <Icon of={X} size="xs" />
      </button>
    </span>
  )
}

type AddFilterProps = {
  label: string
  trigger: ReactElement<Record<string, unknown>>
  form: FormIn
}

/** What opens the form of another condition. */
export function AddFilter({ label, trigger, form }: AddFilterProps) {
  const [open, setOpen] = useState(false)
  return (
    <Popover label={label} open={open} onOpenChange={setOpen} trigger={trigger}>
      {form(() => setOpen(false))}
    </Popover>
  )
}
