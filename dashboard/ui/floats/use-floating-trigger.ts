import { cloneElement, type KeyboardEvent, type ReactElement, useState } from 'react'

type Props = Record<string, unknown>

type Options = {
  trigger: ReactElement<Props>
  /** What opens; a trigger that says so itself is believed. */
  kind: 'menu' | 'dialog'
  open: boolean
  setOpen: (open: boolean) => void
  /** Loads what opens, so that it is there by the time of the click. */
  preload: () => unknown
}

/** Makes a button open something that is loaded when it is first wanted. */
export function useFloatingTrigger({ trigger, kind, open, setOpen, preload }: Options) {
  const { onKeyDown } = trigger.props
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const button = cloneElement(trigger, {
    ref: setAnchor,
    'aria-haspopup': trigger.props['aria-haspopup'] ?? kind,
    'aria-expanded': open,
    onClick: () => setOpen(!open),
    onPointerEnter: preload,
    onFocus: preload,
    onKeyDown: (event: KeyboardEvent) => {
      if (typeof onKeyDown === 'function') onKeyDown(event)
      if (event.key !== 'ArrowDown' || open) return
      event.preventDefault()
      setOpen(true)
    },
  })
  return { anchor, button }
}
