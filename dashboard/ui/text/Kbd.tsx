import type { ReactNode } from 'react'

/** One key cap. For a shortcut use Keys. */
export function Kbd({ children }: { children: ReactNode }) {
  return <kbd>{children}</kbd>
}
