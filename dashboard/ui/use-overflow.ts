import { useCallback, useState, type RefCallback } from 'react'

/** Whether a box holds more than fits across it: then it must be reachable with the keyboard, to be scrolled. */
export function useOverflow(): [boolean, RefCallback<HTMLElement>] {
  const [overflows, setOverflows] = useState(false)
  const ref = useCallback((box: HTMLElement | null) => {
    if (!box) return undefined
    const observer = new ResizeObserver(() => setOverflows(box.scrollWidth > box.clientWidth))
    observer.observe(box)
    if (box.firstElementChild) observer.observe(box.firstElementChild)
    return () => observer.disconnect()
  }, [])
  return [overflows, ref]
}
