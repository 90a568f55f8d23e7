import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Milliseconds in which the grid, by its own timers, may still reach for the focus after an editor has opened. */
const contestedMs = 250

/**
 * Puts the focus into the field inside the element, and keeps it there until the grid has calmed down. An editor that ends while it
 * has the focus gives it back to what had it before: the grid lets go of it a moment later than it says, and keys would be lost.
 */
export function useHeldFocus<E extends HTMLElement>() {
  const box = useRef<E>(null)
  const [before] = useState(() => document.activeElement)
  useEffect(() => {
    const end = performance.now() + contestedMs
    let frame = 0
    function hold() {
      const inside = box.current?.contains(document.activeElement)
      if (!inside) box.current?.querySelector<HTMLElement>('textarea, input')?.focus()
      if (performance.now() < end) frame = requestAnimationFrame(hold)
    }
    hold()
    return () => cancelAnimationFrame(frame)
  }, [])
  useLayoutEffect(() => {
    const element = box.current
    return () => {
      const isInside = element?.contains(document.activeElement) === true
      if (isInside && before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [before])
  return box
}
