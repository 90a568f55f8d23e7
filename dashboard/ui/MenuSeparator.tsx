import * as Radix from 'radix-ui/dropdown-menu'

export function MenuSeparator() {
  return <Radix.Separator className="menu-line" />
}
