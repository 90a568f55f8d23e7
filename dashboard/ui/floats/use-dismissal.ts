import { useRef } from 'react'

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
