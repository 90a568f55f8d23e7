import type { ReactNode } from 'react'
import { useMenuParts } from './menu-parts.ts'

/** A faint heading inside a menu. */
export function MenuLabel({ children }: { children: ReactNode }) {
  const Radix = useMenuParts()
  return <Radix.Label className="menu-label">{children}</Radix.Label>
}
