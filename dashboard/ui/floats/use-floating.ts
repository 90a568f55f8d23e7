import { cloneElement, type KeyboardEvent, type ReactElement, useState, useRef } from 'react'

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

/**
 * How a floating box ends when its trigger is not part of it: pressing the trigger is left to the trigger, and the focus goes
 * back there unless the reader went somewhere else. `back`: what had the focus, where the trigger is only a place.
 */
export function useDismissal(anchor: HTMLElement | null, back = anchor) {
  const leftFor = useRef(false)
  return {
    onInteractOutside: (event: Event) => {
      const inTrigger = event.target instanceof Node && anchor?.contains(event.target)
      if (inTrigger) event.preventDefault()
      else leftFor.current = true
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      // This comes a moment after the box is gone, and takes the focus from nobody who has it by then.
      const nowhere = document.activeElement === null || document.activeElement === document.body
      if (!leftFor.current && nowhere) back?.focus()
    },
  }
}
