import { useMenuParts } from './menu-parts.ts'

/** A line between two groups of items. */
export function MenuSeparator() {
  const Radix = useMenuParts()
  return <Radix.Separator className="menu-line" />
}
