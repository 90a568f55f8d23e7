import type * as Radix from 'radix-ui/dropdown-menu'
import { createContext, use } from 'react'

export type MenuParts = Pick<
  typeof Radix,
  'Item' | 'Label' | 'Separator' | 'RadioGroup' | 'RadioItem' | 'ItemIndicator'
>

/** What menu items are made of: handed down by the menu, so that the items do not load it before it opens. */
export const MenuPartsContext = createContext<MenuParts | undefined>(undefined)

export function useMenuParts(): MenuParts {
  const parts = use(MenuPartsContext)
  if (!parts) throw new Error('A menu item stands outside of a menu')
  return parts
}
