import { Archive, CircleAlert, Info, Lightbulb, Trash2, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Icon, type IconType } from './Icon.tsx'

export type CalloutType =
  | 'note'
  | 'tip'
  | 'caution'
  | 'danger'
  | 'deprecation'
  | 'warning'
  | 'destructive'

const looks: Record<CalloutType, { className: string | undefined; icon: IconType; title: string }> =
  {
    note: { className: 'no', icon: Info, title: 'Note' },
    tip: { className: 'ti', icon: Lightbulb, title: 'Tip' },
    caution: { className: 'ca', icon: TriangleAlert, title: 'Caution' },
    warning: { className: 'ca', icon: TriangleAlert, title: 'Warning' },
    danger: { className: 'dg', icon: CircleAlert, title: 'Danger' },
    destructive: { className: 'dg', icon: Trash2, title: 'Destructive' },
    deprecation: { className: undefined, icon: Archive, title: 'Deprecation' },
  }

type Props = { type: CalloutType; title?: ReactNode; children: ReactNode }

/** An aside in running text. */
export function Callout({ type, title, children }: Props) {
  const look = looks[type]
  return (
    <aside className={cx('callout', look.className)}>
      <b>
        <Icon of={look.icon} />
        {title ?? look.title}
      </b>
      {children}
    </aside>
  )
}
