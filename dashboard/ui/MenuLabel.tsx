import * as Radix from 'radix-ui/dropdown-menu'
import type { ReactNode } from 'react'

/** A faint heading inside a menu. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="menu-label">{children}</Radix.Label>
}
