import { useEffect, useRef } from 'react'

/** Milliseconds in which the grid, by its own timers, may still reach for the focus after an editor has opened. */
const contestedMs = 250

/** Puts the focus into the field inside the element, and keeps it there until the grid has calmed down. */
export function useHeldFocus<E extends HTMLElement>() {
  const box = useRef<E>(null)
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
  return box
}
