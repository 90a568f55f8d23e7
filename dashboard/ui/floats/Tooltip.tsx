import { cloneElement, type ReactElement } from 'react'
import type { Side } from './place-tip.ts'

type Props = {
  text: string
  /** The shortcut of what is pointed at, as in 'mod+k' or 'g h'. */
  keys?: string | undefined
  side?: Side
  /** One element that spreads its props onto what it renders. */
  children: ReactElement<Record<string, unknown>>
}

/** Says what a control does. The control only carries the words; the one TooltipHost of the page shows them. */
export function Tooltip({ text, keys, side, children }: Props) {
  return cloneElement(children, { 'data-tip': text, 'data-tip-keys': keys, 'data-tip-side': side })
}
