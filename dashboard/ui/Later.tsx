import { startTransition, useEffect, useState, type ReactNode } from 'react'
import { afterPicture } from './after-picture.ts'

/**
 * Whether everything is drawn at once: on every page but the first of a visit, and on that one too where it may have to
 * be scrolled to a place further down, or nobody is looking yet.
 */
let settled =
  document.hidden ||
  location.hash !== '' ||
  performance
    .getEntriesByType('navigation')
    .some((entry) => !('type' in entry) || entry.type !== 'navigate')

/** What lies out of sight when a page is opened: drawn when the part that is seen stands on the screen. */
export function Later({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState(settled)
  useEffect(() => {
    if (shown) return undefined
    return afterPicture(() => {
      settled = true
      startTransition(() => setShown(true))
    })
  }, [shown])
  return shown && children
}
