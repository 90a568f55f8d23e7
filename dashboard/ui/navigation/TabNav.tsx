import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { type TabStyle, tabStyles } from './Tabs.tsx'

type Props = {
  label: string
  look?: TabStyle
  /** Router links; the current one carries `aria-current`. */
  children: ReactNode
}

/** Tabs that are pages: links in a row. */
export function TabNav({ label, look = 'underlined', children }: Props) {
  return (
    <nav aria-label={label} className={cx('tabs', tabStyles[look])}>
      {children}
    </nav>
  )
}
